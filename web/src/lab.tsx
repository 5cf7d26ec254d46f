// The impact lab: a system and a model, or two side by side, computed anew with every change (docs/studio-lab.md).
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { save } from './api';
import { getChoices, runLab, WrongCase, type Choices, type LabEvent, type LabKey, type Motion, type Value } from './lab_api';
import { Bodies, boxOf } from './lab_bodies';
import { panelsOf } from './lab_curves';
import { KeyRows, ModelRows, type Span } from './lab_form';
import { PlaneView } from './lab_plane';
import { told, toldMode } from './lab_told';
import { addressOf, casesOf, paramsFor, stateFrom, stateOf, textOf, withKey, withParam, type LabState } from './lab_state';
import './lab.css';
import { short } from './numbers';
import { Plot } from './plots';
import { problem } from './runs';
import { useSignal } from './signal';
import { language, t, type Key } from './texts';
import { switchTheme } from './theme';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
const kinds: Record<string, Key> = { impact: 'event_impact', chatter: 'event_chatter', rest: 'event_rest', detach: 'event_detach', stick: 'event_stick', slip: 'event_slip' };
const isImpact = (e: LabEvent) => e.kind === 'impact' && e.hits.length === 1;
const filled = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

// The latest answer to the latest question: while one is under way, only the newest of those that come meanwhile waits.
function useMotions(state: LabState | null, choices: Choices | null, planes: number[]) {
  const [motions, setMotions] = useState<Motion[]>([]);
  const [failure, setFailure] = useState<{ text: string; problems: Map<string, string> }>({ text: '', problems: new Map() });
  const busy = useRef(false), waiting = useRef<(() => void) | null>(null), alive = useRef(true);
  useEffect(() => () => void (alive.current = false), []);
  useEffect(() => {
    if (!state || !choices) return;
    const work = async () => {
      busy.current = true;
      try {
        const found = await Promise.all(casesOf(state, choices).map((c, k) => runLab(c, planes[k] ?? 0)));
        if (alive.current) setMotions(found), setFailure({ text: '', problems: new Map() });
      } catch (e) {
        const problems = new Map(e instanceof WrongCase ? e.problems.map((p) => [p.key, p.rule]) : []);
        if (alive.current) setFailure({ text: problem(e), problems });
      }
      busy.current = false;
      const next = waiting.current;
      waiting.current = null;
      if (next && alive.current) next();
    };
    if (busy.current) waiting.current = work;
    else void work();
  }, [state, choices, planes.join()]);
  return { motions, failure };
}

function Warnings({ motion, name }: { motion: Motion; name: string }) {
  const words: Record<string, (w: Motion['warnings'][number]) => string> = {
    energy_gain: (w) => filled(t('gainWarning'), { model: name, n: w.events ?? 0, all: motion.run.impacts, energy: `+${short(w.energy ?? 0)}` }),
    simultaneous: (w) => filled(t('severalWarning'), { n: w.events ?? 0 }),
    moment_suppressed: (w) => filled(t('momentWarning'), { n: w.events ?? 0 }),
    stopped: (w) => `${t('stoppedWarning')} ${w.reason}`,
  };
  return (
    <>
      {motion.warnings.map((w) => (
        <p key={w.kind} class={`warning ${w.kind}`} role={w.kind === 'energy_gain' ? 'alert' : 'status'}>{w.kind === 'energy_gain' ? '▲' : 'ⓘ'} {words[w.kind](w)}</p>
      ))}
    </>
  );
}

function EventTable(p: { motion: Motion; chosen: number; choose: (index: number) => void; title: string; id: string }) {
  if (!p.motion.events.length) return <section><h2>{p.title}</h2><p class="hint">{t('noCollisions')}</p></section>;
  return (
    <section class="events" id={p.id}>
      <h2>{p.title}</h2>
      <div class="scroll" tabIndex={0}>
        <table>
          <thead><tr><th>t (s)</th><th>{t('contact')}</th><th>I<sub>N</sub></th><th>I<sub>T</sub></th><th>{t('mode')}</th><th>ΔT (J)</th><th>{t('energyShort')}</th></tr></thead>
          <tbody>
            {p.motion.events.map((e, k) => {
              const gain = e.hits.some((h) => h.energy_gain), n = Math.max(1, e.hits.length);
              return Array.from({ length: n }, (_, i) => {
                const h = e.hits[i];
                return (
                  <tr key={`${k} ${i}`} class={`${k === p.chosen ? 'chosen' : ''} ${gain ? 'gain' : ''}`} onClick={() => p.choose(k)}>
                    <td>{i === 0 && (isImpact(e) ? <button class="plain" aria-pressed={k === p.chosen} onClick={() => p.choose(k)}>{short(e.t, 6)}</button> : <>{short(e.t, 6)} <small>{t(kinds[e.kind])}</small></>)}</td>
                    <td>{h?.contact ?? e.resting.map((r) => r.contact).join(', ')}</td>
                    <td>{h ? short(h.IN) : ''}</td><td>{h ? short(h.IT) : ''}</td><td>{h ? toldMode(h.mode) : ''}</td>
                    <td title={gain ? t('gains') : ''}>{h ? `${gain ? '▲ ' : ''}${short(h.dT)}` : ''}</td>
                    <td>{i === 0 ? short(e.energy_after, 6) : ''}</td>
                  </tr>
                );
              });
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function LabPage({ tools }: { tools: ComponentChildren }) {
  const [choices, setChoices] = useState<Choices | null>(null);
  const [lost, setLost] = useState('');
  const [state, setState] = useState<LabState | null>(stateOf(location.hash));
  const [planes, setPlanes] = useState([-1, -1]); // the chosen events; -1: the first collision
  const [now, setNow] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(0.5);
  const [copied, setCopied] = useState(false);
  const spans = useRef(new Map<string, Span>());
  const spoken = useSignal(language);
  const begin = (s: LabState) => {
    spans.current = new Map();
    setPlanes([-1, -1]);
    setNow(0);
    setPlaying(false);
    setState(s);
  };

  const openText = async (text: string, name?: string) => {
    try {
      const found = await runLab(text, 0);
      begin({ name: name ?? found.title, case: { ...found.case, params: found.case.params ?? {}, start: found.case.start ?? {}, run: found.case.run ?? {} }, second: null, others: true });
      setLost('');
    } catch (e) {
      setLost(problem(e));
    }
  };

  useEffect(() => {
    const linked = textOf(location.hash);
    getChoices().then((found) => {
      setChoices(found);
      setState((s) => s ?? (linked === null ? stateFrom(found.examples.find((e) => e.name === 'bar') ?? found.examples[0]) : null));
      if (linked !== null) void openText(linked);
    }).catch((e) => setLost(problem(e)));
    const elsewhere = () => {
      const s = stateOf(location.hash), text = textOf(location.hash);
      if (s) begin(s);
      else if (text !== null) void openText(text);
    };
    addEventListener('hashchange', elsewhere); // a link, not our own changes
    return () => removeEventListener('hashchange', elsewhere);
  }, []);
  useEffect(() => {
    document.title = `${t('lab')} – Areia`;
  }, [spoken]);
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => history.replaceState(null, '', addressOf(state)), 300);
    return () => clearTimeout(timer);
  }, [state]);

  const asked = planes.map((k) => Math.max(0, k));
  const { motions, failure } = useMotions(state, choices, asked);
  const box = useMemo(() => (motions.length ? boxOf(motions) : null), [motions]);
  const model = (name: string) => choices?.models.find((m) => m.name === name);
  const nameOf = (k: number) => told(model(motions[k]?.case.model ?? '')?.title ?? '');
  const letter = (k: number) => (motions.length > 1 ? ['A', 'B'][k] : '');
  const curves = useMemo(() => (motions.length ? panelsOf(motions[0], motions[1] ?? null, (k) => ['A', 'B'][k]) : null), [motions]);
  const begins = motions[0]?.times[0] ?? 0;
  const ends = Math.max(begins, ...motions.map((m) => m.times[m.times.length - 1]));
  const time = Math.min(Math.max(now, begins), ends);
  // the first impact has its plane when nothing was chosen
  const chosenOf = (k: number) => (planes[k] >= 0 ? planes[k] : motions[k]?.events.findIndex(isImpact) ?? -1);
  useEffect(() => {
    const first = motions.map((m, k) => (planes[k] < 0 ? m.events.findIndex(isImpact) : planes[k]));
    if (first.some((v, k) => v > 0 && planes[k] < 0)) setPlanes([first[0] ?? -1, first[1] ?? -1]);
  }, [motions]);
  const choose = (k: number, index: number) => {
    const next = [...planes];
    next[k] = index;
    setPlanes(next);
    setPlaying(false);
    setNow(motions[k].events[index].t);
  };

  // Playing: seconds of the run per second, until its end.
  useEffect(() => {
    if (!playing) return;
    let last = performance.now(), frame = 0, at = time >= ends ? begins : time;
    const step = (stamp: number) => {
      at += (speed * (stamp - last)) / 1000;
      last = stamp;
      setNow(Math.min(at, ends));
      if (at < ends) frame = requestAnimationFrame(step);
      else setPlaying(false);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, ends]);
  // plots are drawn less often than bodies
  const coarse = playing ? Math.round(time / Math.max(1e-300, (ends - begins) / 60)) * ((ends - begins) / 60) : time;

  const toggleSecond = () => {
    if (!state || !choices) return;
    const other = choices.models.find((m) => m.name === (state.case.model === 'stronge' ? 'kane' : 'stronge'));
    setPlanes([planes[0], -1]);
    setState({ ...state, second: state.second ? null : { model: other?.name ?? 'newton', params: other ? paramsFor(other, state.case.params) : {}, own: false } });
  };
  const nextCollision = (by: number) => {
    const m = motions[0];
    if (!m) return;
    const impacts = m.events.map((e, k) => (isImpact(e) ? k : -1)).filter((k) => k >= 0);
    const at = impacts.indexOf(chosenOf(0)) + by;
    if (impacts[at] !== undefined) choose(0, impacts[at]);
  };
  const keys = useRef((_: KeyboardEvent) => {});
  keys.current = (e) => {
    const into = e.target as HTMLElement;
    const kind = into.tagName === 'INPUT' ? (into as HTMLInputElement).type : '';
    if (e.ctrlKey || e.metaKey || e.altKey || into.tagName === 'SELECT' || into.tagName === 'TEXTAREA' || kind === 'number') return;
    if (kind === 'range' && /^(Arrow|Home|End|Page)/.test(e.key)) return;
    if (e.key === ' ' && (kind === 'checkbox' || into.tagName === 'BUTTON')) return;
    const step = (ends - begins) / 100;
    const jump = (to: number) => {
      setPlaying(false);
      setNow(Math.min(ends, Math.max(begins, to)));
    };
    if (e.key === ' ') setPlaying(!playing);
    else if (e.key === 'ArrowLeft') jump(time - step);
    else if (e.key === 'ArrowRight') jump(time + step);
    else if (e.key === 'Home') jump(begins);
    else if (e.key === 'End') jump(ends);
    else if (e.key === 'n') nextCollision(1);
    else if (e.key === 'p') nextCollision(-1);
    else if (e.key === 'b') toggleSecond();
    else if (e.key === 'd') switchTheme();
    else return;
    e.preventDefault();
  };
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => keys.current(e);
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);

  const set = (path: string, value: Value) => state && setState({ ...state, case: withKey(state.case, path, value) });
  const first = state && model(state.case.model), second = state?.second && model(state.second.model);
  // the keys of the last run, or of the example; values that wait for an answer are those of the state
  const shownKeys: LabKey[] = (motions[0]?.case.system.kind === state?.case.system.kind ? motions[0]?.keys : undefined)
    ?? choices?.examples.find((e) => e.case.system.kind === state?.case.system.kind)?.keys ?? [];
  const present = shownKeys.map((k) => {
    const [table, key] = k.path.split('.') as ['system' | 'start' | 'run', string];
    const given = state?.case[table]?.[key];
    return typeof given === (k.type === 'number' ? 'number' : 'none') || Array.isArray(given) || typeof given === 'boolean' ? { ...k, value: given as Value } : k;
  });
  const titles = new Map((choices?.models ?? []).map((m) => [m.name, told(m.title)]));
  const stages = box && state ? motions.map((m, k) => (
    <figure key={k} class="stage-card" id={`stage-${k}`}>
      <figcaption><b>{letter(k)} {nameOf(k)}</b>
        <button class="save-case" title={t('saveCaseTip')} onClick={() => save(new Blob([m.text], { type: 'application/toml' }), `${state.name.replace(/[^\w.-]+/g, '_')}${k ? `_${m.case.model}` : ''}.toml`)}>{t('saveCase')}</button>
      </figcaption>
      <Bodies motion={m} box={box} time={time} label={`${told(m.title)}, ${nameOf(k)}`} />
    </figure>
  )) : [];
  const planeCards = motions.map((m, k) => (
    <div key={`plane ${k}`} class="plane-card">
      <h2>{letter(k)} {t('plane')}{m.events[chosenOf(k)] ? `, t = ${short(m.events[chosenOf(k)].t, 6)} s` : ''}</h2>
      {m.plane ? <PlaneView plane={m.plane} id={`plane-${k}`} models={titles} /> : <p class="hint">{t('noPlane')}</p>}
    </div>
  ));
  const timeline = box && (
    <div class="timeline">
      <button class="step" id="lab-play" title={t(playing ? 'pause' : 'play')} aria-label={t(playing ? 'pause' : 'play')} onClick={() => setPlaying(!playing)}>{playing ? '❚❚' : '▶'}</button>
      <input id="lab-time" type="range" min={begins} max={ends} step={(ends - begins) / 1000 || 1} value={time} aria-label={t('labTime')} aria-valuetext={`${short(time, 4)} s`}
        onInput={(e) => { setPlaying(false); setNow(e.currentTarget.valueAsNumber); }} />
      <output>{time.toFixed(3)} s</output>
      <select aria-label={t('labSpeed')} title={t('labSpeed')} value={speed} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
        {speeds.map((s) => <option key={s} value={s}>× {s}</option>)}
      </select>
    </div>
  );
  const tables = motions.map((m, k) => <EventTable key={k} id={`events-${k}`} motion={m} chosen={chosenOf(k)} choose={(index) => choose(k, index)} title={`${letter(k)} ${t('collisions')}`} />);

  return (
    <div class="run lab">
      <header>
        <h1><span class="mark" aria-hidden="true" />{t('lab')}</h1>
        {tools}
      </header>
      {(lost || failure.text) && <p class="failure" role="alert">{lost || failure.text}</p>}
      {state && choices && first && (
        <div class="split">
          <section class="side form" aria-label={t('labSystem')}>
            <div class="pane controls">
              <label>{t('labCase')}
                <select id="lab-example" value={choices.examples.some((e) => e.name === state.name) ? state.name : ''} onChange={(e) => {
                  const found = choices.examples.find((x) => x.name === e.currentTarget.value);
                  if (found) begin(stateFrom(found));
                }}>
                  {!choices.examples.some((e) => e.name === state.name) && <option value="">{state.name}</option>}
                  {choices.systems.map((s) => (
                    <optgroup key={s.kind} label={told(s.text)}>
                      {choices.examples.filter((e) => e.case.system.kind === s.kind).map((e) => <option key={e.name} value={e.name}>{told(e.title)}</option>)}
                    </optgroup>
                  ))}
                </select>
              </label>
              <div class="buttons">
                <label class="file"><input id="lab-file" type="file" accept=".toml" onChange={(e) => {
                  const file = e.currentTarget.files?.[0];
                  if (file) void file.text().then((text) => openText(text, file.name.replace(/\.toml$/, '')));
                  e.currentTarget.value = '';
                }} />{t('labFile')}</label>
                <button id="lab-link" onClick={() => { history.replaceState(null, '', addressOf(state)); void navigator.clipboard?.writeText(location.href).then(() => setCopied(true)); setTimeout(() => setCopied(false), 1500); }}>{t(copied ? 'labCopied' : 'labLink')}</button>
              </div>
              <ModelRows prefix="a" title={t(state.second ? 'modelFirst' : 'model')} models={choices.models} model={first} params={state.case.params} problems={failure.problems}
                pick={(name) => { const m = model(name); if (m) setState({ ...state, case: { ...state.case, model: name, params: paramsFor(m, state.case.params) } }); }}
                set={(name, value) => setState({ ...state, case: { ...state.case, params: withParam(state.case.params, name, value) } })} />
              <label class="check"><input id="lab-second" type="checkbox" checked={state.second !== null} onChange={toggleSecond} />{t('labSecond')}</label>
              {state.second && second && (
                <>
                  <ModelRows prefix="b" title={t('modelSecond')} models={choices.models} model={second} params={state.second.params} problems={new Map()} locked={!state.second.own}
                    pick={(name) => { const m = model(name); if (m && state.second) setState({ ...state, second: { ...state.second, model: name, params: paramsFor(m, { ...state.case.params, ...state.second.params }) } }); }}
                    set={(name, value) => state.second && setState({ ...state, second: { ...state.second, params: withParam(state.second.params, name, value) } })} />
                  <label class="check"><input id="lab-own" type="checkbox" checked={state.second.own}
                    onChange={(e) => state.second && setState({ ...state, second: { ...state.second, own: e.currentTarget.checked, params: paramsFor(second, { ...state.second.params, ...state.case.params }) } })} />{t('labOwn')}</label>
                </>
              )}
              <label class="check"><input id="lab-others" type="checkbox" checked={state.others} onChange={(e) => setState({ ...state, others: e.currentTarget.checked })} />{t('labOthersShown')}</label>
              {([['system', 'labSystem'], ['start', 'labStart'], ['run', 'labRun']] as const).map(([table, title]) => (
                <details key={table} open={table !== 'run'}>
                  <summary>{t(title)}{table === 'system' ? `: ${told(choices.systems.find((s) => s.kind === state.case.system.kind)?.text ?? '')}` : ''}</summary>
                  <KeyRows keys={present} table={table} spans={spans.current} set={set} problems={failure.problems} />
                </details>
              ))}
              <details class="keys"><summary>{t('help')}</summary>
                <ul>
                  {([['␣', 'keySpace'], ['← →', 'labTime'], ['n p', 'keyCollision'], ['b', 'keySecond'], ['d', 'keyTheme']] as [string, Key][]).map(([k, text]) => <li key={k}>{k.split(' ').map((one) => <kbd key={one}>{one}</kbd>)}{t(text)}</li>)}
                </ul>
              </details>
            </div>
          </section>
          <main class="results" aria-busy={motions.length === 0}>
            {motions.map((m, k) => <Warnings key={k} motion={m} name={nameOf(k)} />)}
            <div class="grid">
              {motions.length > 1
                ? [...stages, <div key="time" class="wide">{timeline}</div>, ...planeCards]
                : <><div class="column">{stages}{timeline}{tables}</div><div>{planeCards}</div></>}
            </div>
            {curves && (
              <div class="grid plots">
                {curves.panels.map((panel) => (
                  <Plot key={panel.title} id={panel.title} times={curves.times} curves={panel.curves} unit={`${t(panel.title)}${panel.unit ? ` (${panel.unit})` : ''}`} now={coarse}
                    go={(to) => { setPlaying(false); setNow(to); }} />
                ))}
              </div>
            )}
            {motions.length > 1 && <div class="grid">{tables}</div>}
          </main>
        </div>
      )}
    </div>
  );
}
