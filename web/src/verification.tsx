// The verification: values of the sources beside ours, from a report of `areia verify` or of the quick examples run here.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { save } from './api';
import { CurvePlot } from './curve_plot';
import { labAddressOf } from './lab_state';
import { short } from './numbers';
import { problem } from './runs';
import { useSignal } from './signal';
import { language, t, type Key } from './texts';
import { switchTheme } from './theme';
import { getReport, listReports, startQuick, type ExampleReport, type Report, type Reports, type Row } from './verification_api';
import './verification.css';

const kPlace = '#/verification';
export const isVerification = (hash: string): boolean => hash === kPlace || hash.startsWith(`${kPlace}?`);

interface Place {
  report: string | null; // null: the first that there is; "" : the quick examples run here
  source: string;
  verdict: string;
  text: string;
  example: string;
}
function placeOf(hash: string): Place {
  const words = new URLSearchParams(hash.slice(kPlace.length + 1));
  const word = (name: string) => words.get(name) ?? '';
  return { report: words.get('report'), source: word('source'), verdict: word('verdict'), text: word('text'), example: word('example') };
}
function addressOf(p: Place): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(p)) if (value || (name === 'report' && value === '')) words.set(name, value);
  return words.size ? `${kPlace}?${words}` : kPlace;
}

const verdicts: [Row['verdict'], Key][] = [['pass', 'pass'], ['explained', 'explained'], ['not reproduced', 'notReproduced'], ['fail', 'fail']];
const verdictText = (v: string): string => t(verdicts.find(([name]) => name === v)?.[1] ?? 'fail');
const filled = (text: string, n: number, all = 0) => text.replace('{n}', String(n)).replace('{all}', String(all));

// Rows of an example that match; a text may be in the example or in the value.
function rowsOf(e: ExampleReport, p: Place): Row[] {
  if (p.source && !e.works.includes(p.source)) return [];
  const words = p.text.toLowerCase();
  const whole = `${e.name} ${e.title} ${e.source}`.toLowerCase().includes(words);
  return e.rows.filter((r) => (!p.verdict || r.verdict === p.verdict) && (whole || r.quantity.toLowerCase().includes(words)));
}

function Chips({ rows }: { rows: Row[] }) {
  return <>{verdicts.map(([v]) => {
    const n = rows.filter((r) => r.verdict === v).length;
    return n > 0 && <span key={v} class={`verdict ${v.replace(' ', '-')}`} title={verdictText(v)}>{n}</span>;
  })}</>;
}

function Case({ of, name, index }: { of: ExampleReport['ran'][number]; name: string; index: number }) {
  const file = `${name}${index ? `-${index + 1}` : ''}.toml`;
  const quoted = (s: string) => `'${s.replaceAll("'", "'\\''")}'`;
  const command = `areia ${of.lab ? 'impact run' : 'run'} ${file} --out results${of.set.map((s) => ` --set ${quoted(s)}`).join('')}`;
  return (
    <div class="case">
      <div class="row">
        <code>{command}</code>
        {of.lab && <a href={labAddressOf(of.text)}>{t('openInLab')}</a>}
        <button onClick={() => save(new Blob([of.text], { type: 'application/toml' }), file)}>{t('saveCase')}</button>
      </div>
      <pre tabIndex={0}>{of.text.trim()}</pre>
    </div>
  );
}

function Example({ of: e, rows }: { of: ExampleReport; rows: Row[] }) {
  const [shown, setShown] = useState<number | null>(null); // a case, below
  const [opened, setOpened] = useState<Row | null>(null); // a value whose case stands under it
  useEffect(() => {
    setShown(null);
    setOpened(null);
  }, [e.name]);
  const notes = rows.filter((r) => r.verdict !== 'pass' && (r.note || r.claims.length || r.tried.length));
  const number = (v: number | null) => (v === null ? '–' : String(Number(v.toPrecision(7))));
  return (
    <article class="example" id="example">
      <h2>{e.name}: {e.title}</h2>
      <p class="hint"><span lang="en">{e.source}</span> · {short(e.seconds, 2)} s</p>
      {e.sketch && <img class="sketch" alt="" src={`data:image/svg+xml,${encodeURIComponent(e.sketch)}`} />}
      {e.remarks.map((r) => <p key={r} lang="en">{r}</p>)}
      <table class="values">
        <thead><tr><th>{t('quantity')}</th><th>{t('sourceValue')}</th><th>{t('ours')}</th><th>{t('difference')}</th><th>{t('tolerance')}</th><th>{t('verdict')}</th><th /></tr></thead>
        <tbody>
          {rows.map((r, k) => [
            <tr key={k}>
              <td lang="en">{r.quantity}</td><td class="n">{number(r.source)}</td><td class="n" title={r.ours === null ? '' : String(r.ours)}>{number(r.ours)}</td>
              <td class="n">{r.difference === null ? '–' : short(r.difference, 2)}</td><td class="n">{short(r.tolerance, 2)}</td>
              <td><span class={`verdict ${r.verdict.replace(' ', '-')}`}>{verdictText(r.verdict)}</span></td>
              <td>{r.ran !== null && e.ran[r.ran] && <button class="plain open-case" title={t('caseTip')} aria-expanded={opened === r} onClick={() => setOpened(opened === r ? null : r)}>{t('caseBehind')}</button>}</td>
            </tr>,
            opened === r && r.ran !== null && <tr key={`case ${k}`}><td colSpan={7}><Case of={e.ran[r.ran]} name={e.name} index={r.ran} /></td></tr>,
          ])}
        </tbody>
      </table>
      {rows.length < e.rows.length && <p class="hint">{filled(t('rowsHidden'), e.rows.length - rows.length)}</p>}
      {notes.length > 0 && (
        <ul class="notes" lang="en">
          {notes.map((r, k) => (
            <li key={k}><b>{r.quantity}</b> {r.note}
              {r.claims.length > 0 && <ul>{r.claims.map((c) => <li key={c.claim}>{c.holds ? '✓' : '✗'} {c.claim}</li>)}</ul>}
              {r.tried.length > 0 && <ul>{r.tried.map((a) => <li key={a.what}>{t('tried')}: {a.what}: {number(a.value)}</li>)}</ul>}
            </li>
          ))}
        </ul>
      )}
      {e.ran.length > 0 && (
        <section>
          <h3>{t('casesRun')}</h3>
          <div class="buttons">{e.ran.map((_, k) => <button key={k} aria-pressed={shown === k} onClick={() => setShown(shown === k ? null : k)}>{k + 1}</button>)}</div>
          {shown !== null && e.ran[shown] && <Case of={e.ran[shown]} name={e.name} index={shown} />}
        </section>
      )}
      {e.references.length > 0 && <details><summary>{t('references')}</summary><pre tabIndex={0}>{JSON.stringify(e.references, null, 1)}</pre></details>}
      <div class="curve-grid">{e.plots.map((p) => <CurvePlot key={p.title} data={p} />)}</div>
    </article>
  );
}

export function VerificationPage({ tools }: { tools: ComponentChildren }) {
  const [place, setPlace] = useState(placeOf(location.hash));
  const [reports, setReports] = useState<Reports | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [failure, setFailure] = useState('');
  const spoken = useSignal(language);
  const go = (change: Partial<Place>) => {
    const next = { ...place, ...change };
    setPlace(next);
    history.replaceState(null, '', addressOf(next));
  };
  useEffect(() => {
    const elsewhere = () => isVerification(location.hash) && setPlace(placeOf(location.hash));
    addEventListener('hashchange', elsewhere);
    return () => removeEventListener('hashchange', elsewhere);
  }, []);
  useEffect(() => {
    document.title = `${t('verification')} – Areia`;
  }, [spoken]);

  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      const into = (e.target as HTMLElement).tagName;
      if (e.ctrlKey || e.metaKey || e.altKey || into === 'INPUT' || into === 'SELECT') return;
      if (e.key === 'd') switchTheme();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);

  // the list, again and again while the quick examples run
  const running = reports?.quick.running ?? false;
  const look = () => listReports().then((found) => {
    setReports(found);
    setFailure('');
  }).catch((e) => setFailure(problem(e)));
  useEffect(() => {
    void look();
    if (!running) return;
    const timer = setInterval(look, 700);
    return () => clearInterval(timer);
  }, [running]);

  const sound = reports?.reports.filter((r) => r.data) ?? [];
  const chosen = place.report ?? sound[0]?.path ?? (reports?.quick.there ? '' : null);
  const there = chosen === '' ? reports?.quick.there && !running : sound.some((r) => r.path === chosen);
  useEffect(() => {
    setReport(null);
    if (chosen === null || !there) return;
    let over = false;
    getReport(chosen || null).then((found) => {
      if (over) return;
      setReport(found);
      setFailure(found ? '' : t('brokenReport'));
    }).catch((e) => !over && setFailure(problem(e)));
    return () => {
      over = true;
    };
  }, [chosen, there]);

  const matches = (report?.examples ?? []).map((e) => ({ e, rows: rowsOf(e, place) })).filter((m) => m.rows.length > 0);
  const selected = matches.find((m) => m.e.name === place.example) ?? matches[0];
  const count = matches.reduce((sum, m) => sum + m.rows.length, 0);
  return (
    <div class="run verification">
      <header>
        <h1><span class="mark" aria-hidden="true" />{t('verification')}</h1>
        <input id="filter-text" type="search" placeholder={t('search')} aria-label={t('search')} value={place.text} onInput={(e) => go({ text: e.currentTarget.value })} />
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure}</p>}
      <div class="split">
        <section class="side examples">
          <div class="filters">
            <label>{t('report')}
              <select id="report" value={chosen ?? ''} onChange={(e) => go({ report: e.currentTarget.value, example: '' })}>
                {reports?.reports.map((r) => <option key={r.path} value={r.path}>{r.path}</option>)}
                <option value="">{t('reportQuick')}</option>
              </select>
            </label>
            <div class="row">
              <label>{t('bySource')}
                <select id="filter-source" value={place.source} onChange={(e) => go({ source: e.currentTarget.value })}>
                  <option value="">{t('all')}</option>
                  {report?.sources.map((s) => <option key={s.key} value={s.key}>{s.name}</option>)}
                </select>
              </label>
              <label>{t('byVerdict')}
                <select id="filter-verdict" value={place.verdict} onChange={(e) => go({ verdict: e.currentTarget.value })}>
                  <option value="">{t('all')}</option>
                  {verdicts.map(([v]) => <option key={v} value={v}>{verdictText(v)}</option>)}
                </select>
              </label>
            </div>
            {report && <p class="hint" id="matches">{matches.length} {t('examples').toLowerCase()}, {count} {t('values')}</p>}
          </div>
          <nav class="pane" aria-label={t('examples')}>
            {matches.map((m) => (
              <button key={m.e.name} class="entry" aria-current={m === selected} onClick={() => go({ example: m.e.name })}>
                <b>{m.e.name}</b><span><Chips rows={m.rows} /></span><small lang="en">{m.e.title}</small>
              </button>
            ))}
          </nav>
        </section>
        <main class="pane">
          {reports && chosen !== null && chosen !== '' && !there && <p class="empty">{t('oldReport')}</p>}
          {reports && (chosen === '' || chosen === null) && (
            <div class="quick">
              {chosen === null && <p>{t('noReport')}</p>}
              <p class="hint">{t('quickHint')}</p>
              <button id="run-quick" disabled={running} onClick={() => startQuick().then(() => go({ report: '' })).then(look).catch((e) => setFailure(problem(e)))}>{t('runQuick')}</button>
              {running && <><progress max={reports.quick.of || 1} value={reports.quick.done} /> {filled(t('quickRunning'), reports.quick.done, reports.quick.of)}</>}
            </div>
          )}
          {report && (
            <>
              <dl class="facts">
                <div><dt>{t('command')}</dt><dd><code>{report.command}</code></dd></div>
                <div><dt>{t('programVersion')}</dt><dd>{[report.version, report.date, report.machine].filter(Boolean).join(' · ')} · {short(report.seconds, 3)} s</dd></div>
              </dl>
              {selected ? <Example of={selected.e} rows={selected.rows} /> : <p class="empty">{t('noExample')}</p>}
              <details class="sources"><summary>{t('citation')}</summary>
                <ul lang="en">{report.sources.filter((s) => !selected || selected.e.works.includes(s.key)).map((s) => <li key={s.key}><b>{s.name}</b>: {s.citation}{s.doi ? `, doi:${s.doi}` : ''}.</li>)}</ul>
              </details>
            </>
          )}
        </main>
      </div>
    </div>
  );
}
