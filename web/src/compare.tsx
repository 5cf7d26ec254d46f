// Two runs side by side: pictures with one camera and one time line, plots over each other, cases as a difference.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawerOf, getRun, getText, type Run, type Triple } from './api';
import { choices, isVector, union, type Range } from './colouring';
import { css, kindColour } from './colours';
import { diff, type DiffLine } from './diff';
import { FrameStore } from './frames';
import { short } from './numbers';
import { label, Plot, rises, useSeries } from './plots';
import type { Picture } from './picture';
import { Preview, type Scene } from './preview';
import { Chip, problem } from './runs';
import { grainBox } from './scene';
import { named, t } from './texts';

type Pane = 'compareView' | 'plots' | 'compareCases';
const panes: Pane[] = ['compareView', 'plots', 'compareCases'];

// Values at other times, as a line through them is drawn; nothing beyond its ends.
function onto(times: Float64Array, values: Float64Array, wanted: Float64Array): (number | null)[] {
  let k = 0;
  return Array.from(wanted, (at) => {
    if (at < times[0] || at > times[times.length - 1]) return null;
    while (k < times.length - 2 && times[k + 1] < at) ++k;
    const share = times[k + 1] > times[k] ? (at - times[k]) / (times[k + 1] - times[k]) : 0;
    return values[k] + share * (values[k + 1] - values[k]);
  });
}

function Plots({ paths, names, now, go }: { paths: string[]; names: string[]; now: number; go: (time: number) => void }) {
  const [name, setName] = useState(names.includes('energy') ? 'energy' : names[0] ?? '');
  const a = useSeries(paths[0], name, 0), b = useSeries(paths[1], name, 0);
  const shown = useMemo(() => {
    const both = [a.series, b.series];
    if (!both[0] || !both[1] || !both.every((s) => s && rises(s.columns[0]))) return [];
    const times = Float64Array.from(new Set(both.flatMap((s) => [...(s?.columns[0] ?? [])]).sort((x, y) => x - y)));
    return both[0].names.slice(1).filter((column) => both[1]?.names.includes(column)).map((column) => ({
      column, times,
      curves: both.map((s, k) => ({
        name: paths[k], stroke: css(kindColour(k)), ...(k ? { dash: [6, 4] } : {}),
        values: onto(s!.columns[0], s!.columns[s!.names.indexOf(column)], times) as unknown as number[],
      })),
    })).filter((g) => g.curves.some((c) => c.values.some((v) => v !== null && v !== 0)));
  }, [a.series, b.series]);
  return (
    <div class="pane plots">
      <label>{t('series')}
        <select id="series" value={name} onChange={(e) => setName(e.currentTarget.value)}>{names.map((n) => <option key={n}>{n}</option>)}</select>
      </label>
      {(a.failure || b.failure) && <p class="failure">{a.failure || b.failure}</p>}
      <div class="two">
        {shown.map((g) => {
          const what = label(g.column);
          return <Plot key={g.column} times={g.times} curves={g.curves} unit={what.unit ? `${what.name} (${what.unit})` : what.name} now={now} go={go} />;
        })}
      </div>
    </div>
  );
}

function Cases({ paths }: { paths: string[] }) {
  const [lines, setLines] = useState<DiffLine[] | null>(null);
  const [failure, setFailure] = useState('');
  const [all, setAll] = useState(false);
  useEffect(() => {
    Promise.all(paths.map((path) => getText(path, 'case'))).then(([a, b]) => setLines(diff(a, b))).catch((e) => setFailure(problem(e)));
  }, []);
  const near = (k: number) => lines!.slice(Math.max(0, k - 2), k + 3).some((l) => l.kind !== ' ');
  const changed = lines?.filter((l) => l.kind !== ' ').length;
  return (
    <div class="pane">
      {failure && <p class="failure">{failure}</p>}
      <label class="check"><input type="checkbox" checked={all} onChange={() => setAll(!all)} />{t('wholeText')}</label>
      {changed === 0 && <p class="hint">{t('sameCases')}</p>}
      <pre class="diff" id="diff" tabIndex={0}>
        {lines?.map((l, k) => (all || near(k) || /^\[/.test(l.text)) && <div key={k} class={l.kind === '-' ? 'out' : l.kind === '+' ? 'in' : ''}>{`${l.kind} ${l.text}`}</div>)}
      </pre>
    </div>
  );
}

export function ComparePage({ paths, tools }: { paths: string[]; tools: ComponentChildren }) {
  const [runs, setRuns] = useState<Run[] | null>(null);
  const [failure, setFailure] = useState('');
  const [pane, setPane] = useState<Pane>('compareView');
  const [time, setTime] = useState<number | null>(null);
  const [colour, setColour] = useState('velocity.length');
  const [scenes, setScenes] = useState<Scene[]>([]);
  const [focus, setFocus] = useState<[Triple, Triple] | undefined>(undefined); // where the grains of both are at first, amid and at last
  const views = useRef<(Picture | null)[]>([null, null]);
  const seen = useRef<Record<string, Range>>({});
  const stores = useMemo(() => paths.map((path) => new FrameStore(path)), []);
  useEffect(() => {
    document.title = `${t('compare')} – Areia`;
    Promise.all(paths.map(getRun)).then(setRuns).catch((e) => setFailure(problem(e)));
  }, []);
  const times = useMemo(() => [...new Set((runs ?? []).flatMap((r) => r.frames.map((f) => f.time)))].sort((a, b) => a - b), [runs]);
  const now = time ?? times[times.length - 1] ?? 0;
  const at = Math.max(0, times.findIndex((x) => x >= now));

  // the frame that was there at this time
  useEffect(() => {
    if (!runs || !times.length) return;
    const stop = new AbortController();
    Promise.all(runs.map(async (run, k) => {
      const entry = run.frames.filter((f) => f.time <= now * (1 + 1e-12)).pop() ?? run.frames[0];
      if (!entry) return null;
      return { frame: await stores[k].get(entry.index, colour, run.up, '', stop.signal), up: run.up, flatAxis: run.flat_axis, drawer: drawerOf(run.path) };
    })).then((found) => {
      if (!stop.signal.aborted) setScenes(found.filter((s) => s !== null) as Scene[]);
    }).catch((e) => {
      if (!stop.signal.aborted) setFailure(problem(e));
    });
    return () => stop.abort();
  }, [runs, now, colour]);

  useEffect(() => {
    if (!runs) return;
    void Promise.all(runs.flatMap((run, k) => [0, 0.5, 1].map((share) => run.frames[Math.round(share * (run.frames.length - 1))]).filter(Boolean).map((f) => stores[k].get(f.index, colour, run.up, '')))).then((frames) => {
      const boxes = frames.filter((f) => f.count > 0).map(grainBox);
      const end = (which: 0 | 1, choose: (...x: number[]) => number) => [0, 1, 2].map((a) => choose(...boxes.map((b) => b[which][a]))) as Triple;
      if (boxes.length) setFocus([end(0, Math.min), end(1, Math.max)]);
    }).catch((e) => setFailure(problem(e)));
  }, [runs]);

  // one scale for both
  let range: Range | undefined;
  for (const { frame } of scenes)
    if (frame.range && frame.colour === colour) range = seen.current[colour] = union(seen.current[colour] ?? null, frame.range);
  const made = (k: number) => (view: Picture | null) => {
    views.current[k] = view;
    if (view)
      view.drawn = () => {
        if (view.canvas.matches(':hover, :focus')) views.current[1 - k]?.seeAs(view);
      };
  };
  const options = scenes[0] ? choices(scenes[0].frame).map((o) => (isVector(scenes[0].frame, o) ? `${o}.length` : o)) : [];
  return (
    <div class="run compare">
      <header>
        <a class="back" href="#/" title={t('back')} aria-label={t('back')}><span class="mark" aria-hidden="true" />‹ {t('runs')}</a>
        <h1>{t('compare')}</h1>
        <nav class="pages" role="tablist">
          {panes.map((p) => <button key={p} role="tab" id={`tab-${p}`} aria-selected={pane === p} onClick={() => setPane(p)}>{t(p)}</button>)}
        </nav>
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure}</p>}
      {runs && (
        <div class="pair">
          {runs.map((r, k) => (
            <p key={r.path}><i style={{ background: css(kindColour(k)) }} /><a href={`#/run/${encodeURIComponent(r.path)}`}>{r.title || t('untitled')}</a> <small>{r.path}</small> <Chip run={r} />{r.hash && <code> {r.hash.slice(0, 8)}</code>}</p>
          ))}
        </div>
      )}
      {pane === 'compareView' && (
        <div class="pair pictures">{scenes.map((s, k) => <Preview key={k} scene={s} colour={colour} range={range} focus={focus} made={made(k)} />)}</div>
      )}
      {runs && pane === 'plots' && <Plots paths={paths} names={runs[0].series.filter((n) => runs[1].series.includes(n))} now={now} go={setTime} />}
      {pane === 'compareCases' && <Cases paths={paths} />}
      {pane === 'compareView' && times.length > 0 && (
        <div class="timeline">
          <select aria-label={t('colour')} value={colour} onChange={(e) => setColour(e.currentTarget.value)}>{options.map((o) => <option key={o} value={o}>{named(o.split('.')[0])}</option>)}</select>
          {range && <small>{short(range.low, 3)} – {range.beyond ? '≥ ' : ''}{short(range.high, 3)}</small>}
          <input type="range" id="time" aria-label={t('timeline')} min={0} max={times.length - 1} value={at} onInput={(e) => setTime(times[e.currentTarget.valueAsNumber])} />
          <output>{short(now, 6)} s</output>
        </div>
      )}
    </div>
  );
}
