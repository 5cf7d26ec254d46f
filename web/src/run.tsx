// One run: the picture with its time line on the left; what is shown, plots, energy, case and log on the right.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getParticle, getRun, getText, save, type FrameData, type Particle, type Run } from './api';
import { arrayBehind, choices, colouring, isKind, rangeOf, union, valuesOf, type Range } from './colouring';
import { FrameStore } from './frames';
import { LedgerPane } from './ledger';
import { composed, Legend, type LegendData } from './legend';
import { counted, short, unitOf } from './numbers';
import type { Preset } from './orbit';
import { PlotsPane } from './plots';
import { Reason, RunControls } from './run_controls';
import { Chip, problem } from './runs';
import { grainBox, View } from './scene';
import { useSignal } from './signal';
import { language, named, t, type Key } from './texts';
import { colourOf, switchTheme, theme } from './theme';
import { TimeLine } from './timeline';

type Pane = 'view' | 'plots' | 'ledger' | 'caseText' | 'log';
const panes: Pane[] = ['view', 'plots', 'ledger', 'caseText', 'log'];
const presets: [Preset, Key][] = [['oblique', 'viewOblique'], ['front', 'viewFront'], ['side', 'viewSide'], ['top', 'viewTop']];
type RangeMode = 'seen' | 'frame' | 'fixed';

function hasWebgl(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

function TextPane({ run, what, version }: { run: string; what: 'case' | 'log'; version: number }) {
  const [text, setText] = useState('');
  useEffect(() => {
    getText(run, what).then(setText).catch((e) => setText(problem(e)));
  }, [run, what, version]);
  return <pre class="pane text" tabIndex={0}>{text}</pre>;
}

function Numbers({ particle }: { particle: Particle }) {
  const told = (v: number | string | number[]) =>
    Array.isArray(v) ? v.map((x) => <span>{short(x, 7)}</span>) : <span>{typeof v === 'number' ? short(v, 7) : v}</span>;
  const order = ['position', 'radius', 'velocity', 'spin', 'force', 'torque', 'mass', 'charge', 'coordination', ...Object.keys(particle)].filter((k, at, all) => k !== 'id' && k in particle && all.indexOf(k) === at);
  return (
    <dl>
      {order.map((k) => (
        <div key={k}>
          <dt>{named(k)}{unitOf[k] && <small> {unitOf[k]}</small>}</dt>
          <dd data-key={k} data-value={JSON.stringify(particle[k])}>{told(particle[k])}</dd>
        </div>
      ))}
    </dl>
  );
}

export function RunPage({ path, tools }: { path: string; tools: ComponentChildren }) {
  const [run, setRun] = useState<Run | null>(null);
  const [failure, setFailure] = useState('');
  const [pane, setPane] = useState<Pane>('view');
  const [at, setAt] = useState(-1); // position in the list of frames
  const [follow, setFollow] = useState(true);
  const [playing, setPlaying] = useState(false);
  const [rate, setRate] = useState(10);
  const [colour, setColour] = useState('velocity');
  const [mode, setMode] = useState<RangeMode>('seen');
  const [fixed, setFixed] = useState<Range>({ low: 0, high: 1, beyond: false });
  const [walls, setWalls] = useState(true);
  const [chains, setChains] = useState(false);
  const [frame, setFrame] = useState<FrameData | null>(null);
  const [shownRange, setShownRange] = useState<Range | null>(null);
  const [chosen, setChosen] = useState<number | null>(null); // id
  const [particle, setParticle] = useState<Particle | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const seen = useRef<Record<string, Range>>({});
  const store = useMemo(() => new FrameStore(path), [path]);
  const webgl = useMemo(hasWebgl, []);
  const spoken = useSignal(language);
  const shade = useSignal(theme);
  const entry = run && at >= 0 && at < run.frames.length ? run.frames[at] : null;
  const live = run?.state === 'running' || run?.state === 'starting';

  // The run, again and again while it runs; new frames are shown when they are followed.
  useEffect(() => {
    let timer = 0, over = false;
    const ask = async () => {
      let again = 1000;
      try {
        const found = await getRun(path);
        if (over) return;
        setRun(found);
        setFailure('');
        if (found.state === 'finished') again = 5000;
      } catch (e) {
        if (!over) setFailure(problem(e));
        again = 3000;
      }
      if (!over) timer = setTimeout(ask, again);
    };
    void ask();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [path]);
  const count = run?.frames.length ?? 0;
  const before = useRef(0);
  useEffect(() => {
    if (count < before.current) store.clear(); // it began anew
    before.current = count;
    if (count > 0 && (at < 0 || follow || at >= count)) setAt(count - 1); // also the last ones, of a run that has just ended
  }, [count, follow]);
  useEffect(() => {
    if (run) document.title = `${run.title || t('untitled')} – Areia`;
  }, [run?.title, spoken]);

  // The picture.
  const ready = run !== null && webgl;
  useEffect(() => {
    if (!ready || !run || !holder.current) return;
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    holder.current.prepend(canvas);
    const made = new View(canvas, run.up, run.flat_axis);
    view.current = made;
    let from = { x: 0, y: 0 };
    canvas.addEventListener('pointerdown', (e) => (from = { x: e.clientX, y: e.clientY }));
    canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - from.x, e.clientY - from.y) > 3) return;
      picked.current(made.pick(e.clientX, e.clientY));
    });
    return () => {
      made.dispose();
      canvas.remove();
      view.current = null;
    };
  }, [ready]);
  const picked = useRef((_: number) => {});
  picked.current = (k) => setChosen(k < 0 || !frame ? null : frame.arrays.id[k]);

  useEffect(() => {
    if (!entry) return;
    const stop = new AbortController();
    store.get(entry.index, arrayBehind(colour), stop.signal).then((got) => {
      if (!stop.signal.aborted) setFrame(got);
    }).catch((e) => {
      if (!stop.signal.aborted) setFailure(problem(e));
    });
    return () => stop.abort();
  }, [entry?.index, colour, store]);

  // At first the camera sees where the grains are now and where they were at the start.
  const first = useRef(true);
  useEffect(() => {
    if (!frame || !view.current || !run) return;
    view.current.setFrame(frame, first.current);
    if (!first.current) return;
    first.current = false;
    view.current.fit([frame]);
    store.get(run.frames[0].index, arrayBehind(colour)).then((start) => view.current?.fit([frame, { focus: grainBox(start) }])).catch(() => {});
  }, [frame, ready]);

  const options = frame ? choices(frame) : [];
  useEffect(() => {
    if (frame && !options.includes(colour)) setColour(options.includes('velocity') ? 'velocity' : 'radius');
  }, [frame]);

  const duration = run ? Math.max(run.planned ?? 0, run.time) : 0;
  useEffect(() => {
    if (!frame || !run) return;
    const values = valuesOf(frame, colour, run.up);
    if (!values) return;
    const own = rangeOf(frame, colour, values, duration);
    seen.current[colour] = union(seen.current[colour] ?? null, own);
    const range = mode === 'fixed' ? { ...fixed, beyond: own.low < fixed.low || own.high > fixed.high } : mode === 'seen' ? seen.current[colour] : own;
    setShownRange(range);
    view.current?.setColours(colouring(values, range, isKind(colour)));
  }, [frame, colour, mode, fixed.low, fixed.high, ready]);
  useEffect(() => view.current?.showWalls(walls), [walls, ready]);
  useEffect(() => view.current?.showChains(chains), [chains, ready]);
  useEffect(() => view.current?.setTheme(colourOf('--paper'), colourOf('--wall'), colourOf('--edge'), shade === 'dark'), [shade, ready]);

  // The particle that was picked, through time; a ring shows where it is, also behind others.
  const ring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = view.current;
    const k = chosen === null || !frame ? -1 : frame.arrays.id.indexOf(chosen);
    if (shown) {
      shown.drawn = () => {
        if (!ring.current) return;
        ring.current.hidden = k < 0;
        if (k < 0) return;
        const { x, y, radius } = shown.where(k);
        const size = Math.max(9, 1.25 * radius);
        ring.current.style.cssText = `left: ${x - size}px; top: ${y - size}px; width: ${2 * size}px; height: ${2 * size}px`;
      };
      shown.choose(k);
    }
    if (chosen === null || !frame) return setParticle(null);
    if (!entry) return;
    let over = false;
    getParticle(path, entry.index, chosen).then((p) => !over && setParticle(p)).catch(() => !over && setParticle(null));
    return () => {
      over = true;
    };
  }, [chosen, frame]);

  // Playing: the next frame when the one before is there and its time is over.
  useEffect(() => {
    if (!playing || !run || !entry || frame?.time !== entry.time) return;
    if (at >= count - 1) return setPlaying(false);
    const timer = setTimeout(() => setAt(at + 1), 1000 / rate);
    return () => clearTimeout(timer);
  }, [playing, at, frame, rate]);

  const go = (position: number) => {
    setAt(Math.max(0, Math.min(count - 1, position)));
    setFollow(position >= count - 1);
  };
  const goTo = (time: number) => {
    if (!run) return;
    let nearest = 0;
    run.frames.forEach((f, k) => {
      if (Math.abs(f.time - time) < Math.abs(run.frames[nearest].time - time)) nearest = k;
    });
    setPlaying(false);
    go(nearest);
  };
  const play = () => {
    if (!playing && at >= count - 1) go(0);
    setPlaying(!playing);
  };

  const fit = () => view.current?.fit(frame ? [frame] : []);

  const keys = useRef((_: KeyboardEvent) => {});
  keys.current = (e) => {
    const into = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || into.tagName === 'SELECT') return;
    const kind = into.tagName === 'INPUT' ? (into as HTMLInputElement).type : '';
    if (kind === 'number' || kind === 'text') return;
    if (kind === 'range' && /^(Arrow|Home|End|Page)/.test(e.key)) return; // it moves by itself
    if (e.key === ' ' && (kind === 'checkbox' || into.tagName === 'BUTTON')) return;
    const orbit = view.current?.orbit;
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    if (e.shiftKey && e.key in turns) orbit?.turn(...turns[e.key]);
    else if (e.key === ' ') play();
    else if (e.key === 'ArrowLeft') go(at - 1);
    else if (e.key === 'ArrowRight') go(at + 1);
    else if (e.key === 'Home') go(0);
    else if (e.key === 'End') go(count - 1);
    else if (e.key === '+' || e.key === '=') orbit?.approach(0.9);
    else if (e.key === '-') orbit?.approach(1 / 0.9);
    else if (e.key === 'f') fit();
    else if (e.key >= '1' && e.key <= '4') orbit?.look(presets[Number(e.key) - 1][0]);
    else if (e.key === 'c') setChains(!chains);
    else if (e.key === 'w') setWalls(!walls);
    else if (e.key === 'd') switchTheme();
    else if (e.key === 'Escape') setChosen(null);
    else return;
    e.preventDefault();
  };
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => keys.current(e);
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);

  const contacts = frame ? frame.arrays.contact_force.length + frame.arrays.bond_force.length : 0;
  const isVector = (name: string) => (frame?.particleArrays.find((a) => a.name === name)?.components ?? 1) > 1;
  const title = (name: string) => (isVector(name) ? `|${named(name)}|` : named(name)) + (unitOf[name] ? ` (${unitOf[name]})` : '');
  const legend: LegendData | null = chains
    ? { title: `${named('force')} (N)`, range: view.current?.chainRange ?? null, names: [], chains: true }
    : isKind(colour)
      ? { title: title(colour), range: null, names: (colour === 'material' ? frame?.materials : frame?.groups) ?? [], chains: false }
      : shownRange && { title: title(colour), range: shownRange, names: [], chains: false };
  const caption: [string, string] = [
    run?.title || t('untitled'),
    frame ? `t = ${short(frame.time, 6)} s   ${frame.stage}   ${counted(frame.count, spoken)} ${t('particles').toLowerCase()}` : '',
  ];
  const picture = async () => {
    if (!view.current || !legend) return;
    view.current.drawNow();
    save(await composed(view.current.canvas, caption, legend, colourOf('--ink')), `${(path.split('/').pop() ?? 'areia').replace('.', '') || 'areia'}_${String(entry?.index ?? 0).padStart(6, '0')}.png`);
  };

  return (
    <div class="run">
      <header>
        <a class="back" href="#/" title={t('back')} aria-label={t('back')}><span class="mark" aria-hidden="true" />‹ {t('runs')}</a>
        <h1>{run ? run.title || t('untitled') : path}</h1>
        {run && <Chip run={run} />}
        {run && <RunControls run={run} />}
        {run?.hash && <code title={run.hash}>{run.hash.slice(0, 8)}</code>}
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure}</p>}
      {run && <Reason run={run} />}
      <div class="split">
        <section class="stage" aria-label={t('view')}>
          <div class="picture" ref={holder}>
            {!webgl && <p class="empty">{t('noWebgl')}</p>}
            {run && count === 0 && <p class="empty">{t('noFrames')}</p>}
            <div class="ring" ref={ring} hidden />
            {frame && <p class="caption">{caption[1]}</p>}
            {legend && webgl && frame && <Legend data={legend} />}
          </div>
          <TimeLine times={run?.frames.map((f) => f.time) ?? []} at={at} go={(k) => { setPlaying(false); go(k); }} playing={playing} play={play}
            rate={rate} setRate={setRate} live={live} follow={follow} setFollow={setFollow} />
        </section>
        <section class="side">
          <nav role="tablist">
            {panes.map((p) => (
              <button key={p} role="tab" id={`tab-${p}`} aria-selected={pane === p} onClick={() => setPane(p)}>{t(p)}</button>
            ))}
          </nav>
          {pane === 'view' && (
            <div class="pane controls">
              <label>{t('colour')}
                <select id="colour" value={colour} onChange={(e) => setColour(e.currentTarget.value)}>
                  {options.map((o) => <option key={o} value={o}>{title(o)}</option>)}
                </select>
              </label>
              {!isKind(colour) && (
                <label>{t('range')}
                  <select id="range" value={mode} onChange={(e) => {
                    const next = e.currentTarget.value as RangeMode;
                    if (next === 'fixed' && shownRange) setFixed(shownRange);
                    setMode(next);
                  }}>
                    <option value="seen">{t('rangeSeen')}</option>
                    <option value="frame">{t('rangeFrame')}</option>
                    <option value="fixed">{t('rangeFixed')}</option>
                  </select>
                </label>
              )}
              {!isKind(colour) && mode === 'fixed' && (
                <div class="row">
                  {(['low', 'high'] as const).map((end) => (
                    <label key={end}>{t(end === 'low' ? 'lowest' : 'highest')}
                      <input type="number" step="any" value={fixed[end]} onChange={(e) => {
                        const value = e.currentTarget.valueAsNumber;
                        if (Number.isFinite(value)) setFixed({ ...fixed, [end]: value });
                      }} />
                    </label>
                  ))}
                </div>
              )}
              <label class="check"><input type="checkbox" checked={walls} onChange={() => setWalls(!walls)} />{t('walls')}</label>
              <label class="check"><input type="checkbox" id="chains" checked={chains} onChange={() => setChains(!chains)} />{t('chains')}
                {chains && frame && contacts === 0 && <small>{t('noContacts')}</small>}</label>
              <div class="group" role="group" aria-label={t('camera')}>
                <span>{t('camera')}</span>
                <div class="buttons">
                  <button onClick={fit}>{t('viewFit')}</button>
                  {presets.map(([p, text]) => <button key={p} onClick={() => view.current?.orbit.look(p)}>{t(text)}</button>)}
                </div>
              </div>
              <button id="save-picture" onClick={picture} disabled={!frame || !webgl}>{t('savePicture')}</button>
              <div class="group particle" id="particle" data-id={chosen ?? ''}>
                <span>{t('picked')}{chosen !== null && ` ${chosen}`}
                  {chosen !== null && <button class="plain" aria-label={t('close')} onClick={() => setChosen(null)}>×</button>}</span>
                {chosen === null ? <p class="hint">{t('pickHint')}</p> : particle ? <Numbers particle={particle} /> : <p class="hint">{t('gone')}</p>}
              </div>
              <details class="keys">
                <summary>{t('help')}</summary>
                <ul>
                  <li><kbd>␣</kbd>{t('keySpace')}</li>
                  <li><kbd>←</kbd><kbd>→</kbd>{t('keyArrows')}</li>
                  <li><kbd>Home</kbd><kbd>End</kbd>{t('keyHomeEnd')}</li>
                  <li><kbd>f</kbd>{t('keyFit')}</li>
                  <li><kbd>1</kbd>–<kbd>4</kbd>{t('keyViews')}</li>
                  <li><kbd>⇧←→↑↓</kbd><kbd>+</kbd><kbd>−</kbd>{t('keyCamera')}</li>
                  <li><kbd>c</kbd><kbd>w</kbd>{t('keyToggles')}</li>
                  <li><kbd>d</kbd>{t('keyTheme')}</li>
                  <li><kbd>Esc</kbd>{t('keyEscape')}</li>
                </ul>
              </details>
            </div>
          )}
          {run && pane === 'plots' && <PlotsPane run={path} names={run.series} version={count} now={frame?.time ?? 0} go={goTo} />}
          {run && pane === 'ledger' && <LedgerPane run={path} there={run.series.includes('energy')} version={count} now={frame?.time ?? 0} go={goTo} language={spoken} theme={shade} />}
          {pane === 'caseText' && <TextPane run={path} what="case" version={0} />}
          {pane === 'log' && <TextPane run={path} what="log" version={count} />}
        </section>
      </div>
    </div>
  );
}
