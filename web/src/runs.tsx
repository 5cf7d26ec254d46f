// The list of runs, kept up to date.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listRuns, Refused, type RunEntry } from './api';
import { getColumns, type Columns } from './control';
import { counted, short } from './numbers';
import { language, t, type Key } from './texts';
import { Top } from './top';

type Column = 'title' | 'path' | 'state' | 'time' | 'particles' | 'speed' | 'changed' | 'hash';
const columns: { key: Column; text: Key }[] = [
  { key: 'title', text: 'title' },
  { key: 'path', text: 'folder' },
  { key: 'state', text: 'state' },
  { key: 'time', text: 'time' },
  { key: 'particles', text: 'particles' },
  { key: 'speed', text: 'rate' },
  { key: 'changed', text: 'changed' },
  { key: 'hash', text: 'hash' },
];

export const problem = (e: unknown): string =>
  e instanceof Refused ? (e.status === 401 ? t('wrongToken') : e.message) : e instanceof TypeError ? t('lost') : String(e);

export function Chip({ run }: { run: RunEntry }) {
  const share = run.planned && run.planned > 0 ? Math.min(1, run.time / run.planned) : null;
  return (
    <span class={`chip ${run.state}`} title={run.note}>
      {t(run.state)}
      {run.state !== 'finished' && run.state !== 'starting' && share !== null ? ` ${Math.floor(100 * share)} %` : ''}
    </span>
  );
}

export const clock = (seconds: number): string => {
  const s = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${two(Math.floor(s / 60))}:${two(s % 60)}`;
};

export function RunsPage({ tools }: { tools: ComponentChildren }) {
  const [runs, setRuns] = useState<RunEntry[] | null>(null);
  const [folder, setFolder] = useState('');
  const [failure, setFailure] = useState('');
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<{ by: string; down: boolean }>({ by: 'changed', down: true });
  const [chosen, setChosen] = useState<string[]>([]); // for comparison
  const [values, setValues] = useState<Columns | null>(null); // keys in which runs differ, and results
  const [extra, setExtra] = useState<string[]>([]);
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

  const offered = [...new Set(Object.values(values ?? {}).flatMap(Object.keys))].filter((name) => !extra.includes(name) && name !== 'title').sort();
  const words = search.toLowerCase();
  const shown = (runs ?? []).filter((r) => `${r.title} ${r.path} ${t(r.state)}`.toLowerCase().includes(words));
  shown.sort((a, b) => {
    const valueOf = (r: RunEntry) => (extra.includes(order.by) ? values?.[r.path]?.[order.by] : r[order.by as Column]) ?? -1;
    const x = valueOf(a);
    const y = valueOf(b);
    return (x < y ? -1 : x > y ? 1 : 0) * (order.down ? -1 : 1);
  });
  return (
    <div class="list">
      <Top here="" folder={folder} tools={tools}>
        <input type="search" placeholder={t('search')} aria-label={t('search')} value={search}
          onInput={(e) => setSearch(e.currentTarget.value)} />
        <select id="columns" aria-label={t('moreColumns')} value="" onFocus={() => void getColumns().then(setValues).catch((e) => setFailure(problem(e)))}
          onChange={(e) => setExtra([...extra, e.currentTarget.value])}>
          <option value="">{t('moreColumns')}</option>
          {offered.map((name) => <option key={name}>{name}</option>)}
        </select>
        <button id="compare" disabled={chosen.length !== 2} title={t('compareTip')}
          onClick={() => (location.hash = `/compare/${chosen.map(encodeURIComponent).join('/')}`)}>{t('compare')}</button>
      </Top>
      {failure && <p class="failure" role="alert">{failure}</p>}
      <main>
        {runs && (
          <table class="runs">
            <thead>
              <tr>
                <th />
                {columns.map((c) => (
                  <th key={c.key} class={c.key} aria-sort={order.by === c.key ? (order.down ? 'descending' : 'ascending') : 'none'}>
                    <button class="plain" onClick={() => setOrder({ by: c.key, down: order.by === c.key ? !order.down : false })}>
                      {t(c.text)}<i>{order.by === c.key ? (order.down ? '↓' : '↑') : ''}</i>
                    </button>
                  </th>
                ))}
                {extra.map((name) => (
                  <th key={name} class="extra" aria-sort={order.by === name ? (order.down ? 'descending' : 'ascending') : 'none'}>
                    <button class="plain" onClick={() => setOrder({ by: name, down: order.by === name ? !order.down : false })}>{name}<i>{order.by === name ? (order.down ? '↓' : '↑') : ''}</i></button>
                    <button class="plain" aria-label={`${t('removeColumn')}: ${name}`} title={t('removeColumn')} onClick={() => setExtra(extra.filter((n) => n !== name))}>×</button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((r) => (
                <tr key={r.path} onClick={() => (location.hash = `/run/${encodeURIComponent(r.path)}`)}>
                  <td><input type="checkbox" aria-label={`${t('chooseRun')}: ${r.path}`} checked={chosen.includes(r.path)} onClick={(e) => e.stopPropagation()}
                    onChange={() => setChosen(chosen.includes(r.path) ? chosen.filter((p) => p !== r.path) : [...chosen, r.path].slice(-2))} /></td>
                  <td class="title"><a href={`#/run/${encodeURIComponent(r.path)}`}>{r.title || t('untitled')}</a></td>
                  <td class="path">{r.path}</td>
                  <td class="state"><Chip run={r} />{(r.note || r.state === 'died') && <small>{r.note || t('diedNote')}</small>}{r.left !== null && r.state === 'running' && <small>{clock(r.left)} {t('left')}</small>}</td>
                  <td class="time">{short(r.time)} s</td>
                  <td class="particles">{r.particles === null ? '–' : counted(r.particles, language.value)}</td>
                  <td class="speed">{r.speed === null ? '–' : `${short(r.speed / 1e6, 3)} M/s`}</td>
                  <td class="changed">{new Date(1000 * r.changed).toLocaleString(language.value === 'pt' ? 'pt-BR' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</td>
                  <td class="hash"><code title={r.hash}>{r.hash.slice(0, 8)}</code></td>
                  {extra.map((name) => {
                    const value = values?.[r.path]?.[name];
                    return <td key={name} class="extra">{typeof value === 'number' ? short(value, 5) : String(value ?? '–')}</td>;
                  })}
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
