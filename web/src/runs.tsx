// The list of runs, kept up to date.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listRuns, Refused, type RunEntry } from './api';
import { counted, short } from './numbers';
import { language, t, type Key } from './texts';

type Column = 'title' | 'path' | 'state' | 'time' | 'particles' | 'changed';
const columns: { key: Column; text: Key }[] = [
  { key: 'title', text: 'title' },
  { key: 'path', text: 'folder' },
  { key: 'state', text: 'state' },
  { key: 'time', text: 'time' },
  { key: 'particles', text: 'particles' },
  { key: 'changed', text: 'changed' },
];

export const problem = (e: unknown): string =>
  e instanceof Refused ? (e.status === 401 ? t('wrongToken') : e.message) : e instanceof TypeError ? t('lost') : String(e);

export function Chip({ run }: { run: RunEntry }) {
  const share = run.planned && run.planned > 0 ? Math.min(1, run.time / run.planned) : null;
  return (
    <span class={`chip ${run.state}`} title={run.note}>
      {t(run.state)}
      {run.state !== 'finished' && share !== null ? ` ${Math.floor(100 * share)} %` : ''}
    </span>
  );
}

export function RunsPage({ tools }: { tools: ComponentChildren }) {
  const [runs, setRuns] = useState<RunEntry[] | null>(null);
  const [folder, setFolder] = useState('');
  const [failure, setFailure] = useState('');
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<{ by: Column; down: boolean }>({ by: 'changed', down: true });
  useEffect(() => {
    let timer = 0;
    let over = false;
    const ask = async () => {
      try {
        const found = await listRuns();
        if (over) return;
        setRuns(found.runs);
        setFolder(found.folder);
        setFailure('');
      } catch (e) {
        if (!over) setFailure(problem(e));
      }
      if (!over) timer = setTimeout(ask, 2000);
    };
    void ask();
    document.title = 'Areia';
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, []);

  const words = search.toLowerCase();
  const shown = (runs ?? []).filter((r) => `${r.title} ${r.path} ${t(r.state)}`.toLowerCase().includes(words));
  shown.sort((a, b) => {
    const x = a[order.by] ?? -1;
    const y = b[order.by] ?? -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (order.down ? -1 : 1);
  });
  return (
    <div class="list">
      <header>
        <h1><span class="mark" aria-hidden="true" />Areia<small>{folder}</small></h1>
        <input type="search" placeholder={t('search')} aria-label={t('search')} value={search}
          onInput={(e) => setSearch(e.currentTarget.value)} />
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure}</p>}
      <main>
        {runs && (
          <table class="runs">
            <thead>
              <tr>
                {columns.map((c) => (
                  <th key={c.key} class={c.key} aria-sort={order.by === c.key ? (order.down ? 'descending' : 'ascending') : 'none'}>
                    <button class="plain" onClick={() => setOrder({ by: c.key, down: order.by === c.key ? !order.down : false })}>
                      {t(c.text)}<i>{order.by === c.key ? (order.down ? '↓' : '↑') : ''}</i>
                    </button>
                  </th>
                ))}
                <th class="hash">{t('hash')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((r) => (
                <tr key={r.path} onClick={() => (location.hash = `/run/${encodeURIComponent(r.path)}`)}>
                  <td class="title"><a href={`#/run/${encodeURIComponent(r.path)}`}>{r.title || t('untitled')}</a></td>
                  <td class="path">{r.path}</td>
                  <td class="state"><Chip run={r} />{r.note && <small>{r.note}</small>}</td>
                  <td class="time">{short(r.time)} s</td>
                  <td class="particles">{r.particles === null ? '–' : counted(r.particles, language.value)}</td>
                  <td class="changed">{new Date(1000 * r.changed).toLocaleString(language.value === 'pt' ? 'pt-BR' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</td>
                  <td class="hash"><code title={r.hash}>{r.hash.slice(0, 8)}</code></td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {runs && shown.length === 0 && <p class="empty">{t(runs.length ? 'noMatch' : 'noRuns')}</p>}
      </main>
    </div>
  );
}
