// One run: the picture with its time line on the left; what is shown, plots, energy, case and log on the right.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawerOf, getParticle, getRun, getSeries, getText, save, type FrameData, type Lines, type Particle, type Run, type Series } from './api';
import { balanced, choices, isKind, union, valuesOf, type Range } from './colouring';
import { kindTable, maps, table } from './colours';
import { mostCuts, newCut, planesOf, reach } from './cuts';
import { DrawnView } from './drawn_view';
import { film } from './film';
import { FrameStore } from './frames';
import { LedgerPane } from './ledger';
import { compose, Legend, type LegendData } from './legend';
import { arrayOf, firstLook, indexOf, measured, placeOf, type End, type Look, type Picked } from './look';
import { counted, short } from './numbers';
import { Orbit } from './orbit';
import { drawMarks, type Marks } from './overlay';
import type { Picture } from './picture';
import { PlotsPane } from './plots';
import { Reason, RunControls } from './run_controls';
import { Chip, problem } from './runs';
import { grainBox, hasWebgl, View } from './scene';
import { presence } from './selection';
import { useSignal } from './signal';
import { language, named, t } from './texts';
import { colourOf, switchTheme, theme } from './theme';
import { TimeLine } from './timeline';
import { colourTitle, presets, ViewPane, type Engine, type Film } from './view_pane';

type Pane = 'view' | 'plots' | 'ledger' | 'caseText' | 'log';
const panes: Pane[] = ['view', 'plots', 'ledger', 'caseText', 'log'];

function TextPane({ run, what, version }: { run: string; what: 'case' | 'log'; version: number }) {
  const [text, setText] = useState('');
  useEffect(() => {
    getText(run, what).then(setText).catch((e) => setText(problem(e)));
  }, [run, what, version]);
  return <pre class="pane text" tabIndex={0}>{text}</pre>;
}

export function RunPage({ path, tools }: { path: string; tools: ComponentChildren }) {
  const [run, setRun] = useState<Run | null>(null);
  const [failure, setFailure] = useState('');
  const [pane, setPane] = useState<Pane>('view');
  const [at, setAt] = useState(-1); // position in the list of frames
  const [follow, setFollow] = useState(true);
  const [playing, setPlaying] = useState(false);
  const [rate, setRate] = useState(10);
  const [look, setLook] = useState<Look>(firstLook);
  const change = (next: Partial<Look>) => setLook((old) => ({ ...old, ...next }));
  const [frame, setFrame] = useState<FrameData | null>(null);
  const [shownRange, setShownRange] = useState<Range | null>(null);
  const [picked, setPicked] = useState<Picked>(null);
  const [particle, setParticle] = useState<Particle | null>(null);
  const [goesWith, setGoesWith] = useState(false);
  const [measuring, setMeasuring] = useState(false);
  const [ends, setEnds] = useState<End[]>([]);
  const [breaks, setBreaks] = useState<Series | null>(null);
  const [filming, setFilming] = useState<Film | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLCanvasElement>(null);
  const view = useRef<Picture | null>(null);
  const seen = useRef<Record<string, Range>>({});
  const store = useMemo(() => new FrameStore(path), [path]);
  const webgl = useMemo(hasWebgl, []);
  const [wanted, setWanted] = useState<Engine>(() => (localStorage.getItem('areia-engine') === 'server' ? 'server' : 'browser'));
  const engine: Engine = webgl ? wanted : 'server';
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
  const followed = useRef(0); // when
  useEffect(() => {
    if (count < before.current) store.clear(); // it began anew
    before.current = count;
    if (count === 0) return;
    const show = () => {
      followed.current = performance.now();
      setAt(count - 1);
    };
    if (at < 0 || at >= count) return show();
    if (!follow) return;
    // Who only looks leaves the run its machine: drawing takes a fiftieth of the time. What ended is shown at once.
    const pause = Math.min(10_000, 50 * (view.current?.effort ?? 0));
    const wait = live ? followed.current + pause - performance.now() : 0;
    if (wait <= 0) return show();
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [count, follow, live]);
  useEffect(() => {
    if (run) document.title = `${run.title || t('untitled')} – Areia`;
  }, [run?.title, spoken]);

  // The picture. The camera stays when another way of drawing takes over.
  const orbit = useMemo(() => (run ? new Orbit(run.up, run.flat_axis) : null), [run !== null]);
  const ready = orbit === null ? '' : engine;
  useEffect(() => {
    if (!orbit || !run || !holder.current) return;
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.id = 'canvas';
    canvas.dataset.view = engine;
    canvas.setAttribute('role', 'img');
    holder.current.prepend(canvas);
    let made: Picture;
    try {
      made = engine === 'browser' ? new View(canvas, orbit) : new DrawnView(canvas, orbit, run.up, drawerOf(path), (e) => setFailure(problem(e)));
    } catch {
      canvas.remove(); // the context was refused after all
      setWanted('server');
      return;
    }
    view.current = made;
    let from = { x: 0, y: 0 };
    canvas.addEventListener('pointerdown', (e) => (from = { x: e.clientX, y: e.clientY }));
    canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - from.x, e.clientY - from.y) <= 3) clicked.current(e.clientX, e.clientY);
    });
    return () => {
      made.dispose();
      canvas.remove();
      view.current = null;
    };
  }, [ready]);
  const clicked = useRef((_x: number, _y: number) => {});
  clicked.current = (x, y) => {
    const hit = view.current?.pick(x, y) ?? null;
    if (!frame) return;
    const name = hit && 'wall' in hit ? frame.walls[hit.wall].name : '';
    if (measuring) {
      if (!hit) return;
      const end: End = 'grain' in hit ? { id: frame.arrays.id[hit.grain] } : { at: hit.point, name };
      return setEnds((old) => (old.length === 2 ? [end] : [...old, end]));
    }
    setPicked(!hit ? null : 'grain' in hit ? { id: frame.arrays.id[hit.grain] } : { wall: name });
  };

  const array = arrayOf(look, frame);
  // `data-awaited` stands until what was asked for last is handed to the picture, for whoever waits for it.
  const asked = useRef<AbortController | null>(null);
  const tellHanded = () => {
    if (!asked.current && view.current) delete view.current.canvas.dataset.awaited;
  };
  // the server needs no lines to draw them itself
  const lines: Lines = !look.chains ? '' : engine === 'browser' ? 'all' : 'range';
  useEffect(() => {
    if (!entry || !run) return;
    const stop = new AbortController();
    asked.current = stop;
    if (view.current) view.current.canvas.dataset.awaited = '';
    view.current?.expect();
    store.get(entry.index, array, run.up, lines, stop.signal).then((got) => {
      if (stop.signal.aborted) return;
      asked.current = null;
      if (got === frameNow.current) tellHanded(); // else when it is the frame
      setFrame(got);
    }).catch((e) => {
      if (stop.signal.aborted) return;
      asked.current = null;
      tellHanded();
      setFailure(problem(e));
    });
    return () => stop.abort();
  }, [entry?.index, array, lines, store]);

  // At first the camera sees where the grains are now and where they were at the start.
  const first = useRef(true);
  const shownBy = useRef('');
  useEffect(() => {
    if (!frame || !view.current || !run) return;
    const fresh = shownBy.current !== ready;
    shownBy.current = ready;
    view.current.setFrame(frame, fresh);
    tellHanded();
    if (!first.current) return;
    first.current = false;
    view.current.fit([frame]);
    if (run.frames[0].index === frame.index) return;
    const { dataset } = view.current.canvas;
    dataset.fitting = ''; // as `data-awaited`
    store.get(run.frames[0].index, array, run.up, lines).then((start) => view.current?.fit([frame, { focus: grainBox(start) }])).catch(() => {})
      .finally(() => delete dataset.fitting);
  }, [frame, ready]);

  const options = frame ? choices(frame) : [];
  useEffect(() => {
    if (frame && !options.includes(look.colour)) change({ colour: options.includes('velocity') ? 'velocity' : 'radius' });
  }, [frame]);

  useEffect(() => {
    if (!frame) return;
    const values = valuesOf(frame, array), own = frame.range;
    if (!values || !own) return;
    const kinds = isKind(look.colour);
    seen.current[array] = union(seen.current[array] ?? null, own);
    const { fixed } = look;
    const wide = look.mode === 'fixed' ? { ...fixed, beyond: own.low < fixed.low || own.high > fixed.high } : look.mode === 'seen' ? seen.current[array] : own;
    const range = look.map === 'diverging' && look.mode !== 'fixed' ? balanced(wide) : wide;
    setShownRange(range);
    view.current?.setColours({ name: array, values, low: range.low, high: range.high, kinds, table: kinds ? kindTable() : table(maps[look.map]) });
  }, [frame, array, look.map, look.mode, look.fixed.low, look.fixed.high, ready]);
  useEffect(() => {
    if (!frame || !view.current) return;
    view.current.setPresence(presence(frame, look.only));
    if (view.current instanceof DrawnView) view.current.setOnly(look.only);
  }, [frame, look.only, ready]);
  useEffect(() => view.current?.setPlanes(planesOf(look.cuts)), [look.cuts, ready]);
  useEffect(() => view.current?.showWalls(look.walls), [look.walls, ready]);
  useEffect(() => view.current?.showChains(look.chains), [look.chains, ready]);
  useEffect(() => view.current?.setTheme(shade === 'dark', colourOf), [shade, ready]);
  useEffect(() => view.current?.canvas.setAttribute('aria-label',
    t('pictureOf').replace('{n}', String(frame?.count ?? 0)).replace('{t}', short(frame?.time ?? 0, 6))), [frame, spoken, ready]);

  // Bonds that broke so far.
  const hasBreaks = run?.series.includes('breaks') ?? false;
  useEffect(() => {
    if (hasBreaks && look.breaks) getSeries(path, 'breaks').then(setBreaks).catch(() => setBreaks(null));
    else setBreaks(null);
  }, [hasBreaks, look.breaks, count]);

  // What is marked over the picture: what was picked, also behind others, and a measurement.
  const id = picked && 'id' in picked ? picked.id : null;
  const length = frame && ends.length === 2 ? measured(frame, ends) : null;
  useEffect(() => {
    const shown = view.current;
    if (!shown || !frame) return;
    const k = id === null ? -1 : indexOf(frame, id);
    const broken: number[] = [];
    if (breaks) {
      const [time, x, y, z] = ['time_s', 'x_m', 'y_m', 'z_m'].map((n) => breaks.columns[breaks.names.indexOf(n)]);
      for (let b = 0; x && b < time.length && time[b] <= frame.time; ++b) broken.push(x[b], y[b], z[b]);
    }
    const marks: Marks = {
      ring: k < 0 ? null : { at: shown.centreOf(k), radius: frame.arrays.radius[k] },
      ends: measuring ? ends.flatMap((end) => placeOf(frame, end) ?? []) : [],
      distance: length ? `${short(length.distance, 5)} m` : '',
      breaks: Float64Array.from(broken),
    };
    shown.drawn = () => sheet.current && drawMarks(sheet.current, shown, marks, colourOf);
    shown.choose(k);
    if (goesWith && k >= 0) shown.orbit.lookAt(...shown.place(shown.centreOf(k)));
  }, [frame, id, goesWith, measuring, ends, breaks, shade, ready]);
  useEffect(() => {
    if (id === null || !frame) return setParticle(null);
    let over = false;
    getParticle(path, frame.index, id).then((p) => !over && setParticle(p)).catch(() => !over && setParticle(null));
    return () => {
      over = true;
    };
  }, [id, frame]);

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
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
    const lastCut = look.cuts[look.cuts.length - 1];
    const changeCut = (next: Partial<typeof lastCut>) => change({ cuts: [...look.cuts.slice(0, -1), { ...lastCut, ...next }] });
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
    else if (e.key === 'c') change({ chains: !look.chains });
    else if (e.key === 'w') change({ walls: !look.walls });
    else if ((e.key === 'x' || e.key === 'y' || e.key === 'z') && frame && orbit) {
      const others = look.cuts.filter((cut) => cut.axis !== e.key);
      change({ cuts: others.length < look.cuts.length ? others : [...others, newCut(frame, e.key, orbit.towardsEye())].slice(-mostCuts) });
    } else if ((e.key === ',' || e.key === '.') && lastCut && frame) {
      const [low, high] = reach(frame, lastCut.normal);
      changeCut({ at: lastCut.at + ((e.key === '.' ? 1 : -1) * (high - low)) / 50 });
    } else if (e.key === 'i' && lastCut) changeCut({ flipped: !lastCut.flipped });
    else if (e.key === 'g' && id !== null) setGoesWith(!goesWith);
    else if (e.key === 'm') setMeasuring(!measuring);
    else if (e.key === 'p') {
      setPane('view');
      requestAnimationFrame(() => document.getElementById('particle-number')?.focus());
    } else if (e.key === 'd') switchTheme();
    else if (e.key === 'Escape') {
      setPicked(null);
      setEnds([]);
    } else return;
    e.preventDefault();
  };
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => keys.current(e);
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);

  const legend: LegendData | null = look.chains
    ? frame?.chains ? { title: `${named('force')} (N)`, range: { low: 0, high: frame.chains.high, beyond: frame.chains.beyond }, names: [], map: frame.chains.pulls ? 'pulls' : 'chains' } : null
    : isKind(look.colour)
      ? { title: named(look.colour), range: null, names: (look.colour === 'material' ? frame?.materials : frame?.groups) ?? [], map: look.map }
      : shownRange && { title: colourTitle(frame, look, look.colour), range: shownRange, names: [], map: look.map };
  const caption: [string, string] = [
    run?.title || t('untitled'),
    frame ? `t = ${short(frame.time, 6)} s   ${frame.stage}   ${counted(frame.count, spoken)} ${t('particles').toLowerCase()}` : '',
  ];
  const fileName = (path.split('/').pop() ?? 'areia').replace('.', '') || 'areia';
  const captionNow = useRef({ caption, legend });
  captionNow.current = { caption, legend };
  const composed = (to: HTMLCanvasElement) => {
    const { canvas } = view.current as Picture;
    const { caption: words, legend: scale } = captionNow.current;
    compose(to, canvas.clientWidth, [canvas, sheet.current as HTMLCanvasElement], words, scale, colourOf('--ink'));
  };
  const picture = async () => {
    if (!view.current) return;
    await view.current.settled();
    const { canvas } = view.current;
    const to = document.createElement('canvas');
    [to.width, to.height] = [canvas.width, canvas.height];
    composed(to);
    to.toBlob((blob) => blob && save(blob, `${fileName}_${String(entry?.index ?? 0).padStart(6, '0')}.png`));
  };

  // A film goes through all frames by the page itself: what is on the sheet is what is seen.
  const frameNow = useRef(frame);
  frameNow.current = frame;
  const makeFilm = (pictures: boolean) => {
    if (!view.current || !run) return;
    const stop = new AbortController(), back = at, frames = run.frames;
    const tell = (share: number) => setFilming({ share, stop: () => stop.abort() });
    setPlaying(false);
    setFollow(false);
    tell(0);
    const paint = async (k: number, to: HTMLCanvasElement) => {
      setAt(k);
      while (frameNow.current?.index !== frames[k].index && !stop.signal.aborted) await new Promise((done) => setTimeout(done, 5));
      await new Promise((done) => setTimeout(done)); // effects of the new frame
      await view.current?.settled();
      if (view.current) composed(to);
    };
    const { canvas } = view.current;
    film(frames.length, rate, [canvas.width, canvas.height], paint, pictures, tell, stop.signal)
      .then((made) => made && save(made.blob, `${fileName}.${made.ending}`)).catch((e) => setFailure(problem(e)))
      .finally(() => {
        setFilming(null);
        setAt(back);
      });
  };

  return (
    <div class="run">
      <header>
        <a class="back" href="#/" title={t('back')} aria-label={t('back')}><span class="mark" aria-hidden="true" />‹ {t('runs')}</a>
        <h1>{run ? run.title || t('untitled') : path}</h1>
        {run && <Chip run={run} />}
        {run && <RunControls run={run} />}
        {run?.case_file && <a id="its-case" href={`#/edit/${encodeURIComponent(run.case_file)}`}>{t('itsCase')}</a>}
        {run?.hash && <code title={run.hash}>{run.hash.slice(0, 8)}</code>}
        {tools}
      </header>
      {failure && <p class="failure" role="alert">{failure}</p>}
      {run && <Reason run={run} />}
      <div class="split">
        <section class="stage" aria-label={t('view')}>
          <div class="picture" ref={holder}>
            {run && count === 0 && <p class="empty">{t('noFrames')}</p>}
            <canvas class="marks" ref={sheet} aria-hidden="true" />
            {frame && <p class="caption">{caption[1]}</p>}
            {legend && frame && <Legend data={legend} />}
          </div>
          <TimeLine times={run?.frames.map((f) => f.time) ?? []} at={at} go={(k) => { setPlaying(false); go(k); }} playing={playing} play={play}
            rate={rate} setRate={setRate} live={live} follow={follow}
            setFollow={(on) => { followed.current = 0; setFollow(on); }} />
        </section>
        <section class="side">
          <nav role="tablist">
            {panes.map((p) => (
              <button key={p} role="tab" id={`tab-${p}`} aria-selected={pane === p} onClick={() => setPane(p)}>{t(p)}</button>
            ))}
          </nav>
          {pane === 'view' && (
            <ViewPane path={path} run={run} frame={frame} look={look} change={change} shownRange={shownRange}
              fit={fit} preset={(which) => orbit?.look(which)} towardsEye={() => orbit?.towardsEye() ?? [0, 0, 1]}
              picture={picture} film={filming} makeFilm={makeFilm}
              picked={picked} particle={particle} pick={setPicked} goesWith={goesWith} setGoesWith={setGoesWith}
              measuring={measuring} setMeasuring={setMeasuring} ends={ends} setEnds={setEnds} measured={length}
              engine={engine} webgl={webgl} now={frame?.time ?? 0} goTo={goTo} setEngine={(e) => {
                localStorage.setItem('areia-engine', e);
                setWanted(e);
              }} />
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
