// The controls of the picture: colours, what is cut and selected, camera, what was picked, measuring, files.
import type { FrameData, Particle, Run, WallNumbers } from './api';
import { choices, isKind, isVector, parts, type Range } from './colouring';
import type { MapName } from './colours';
import { mostCuts, newCut, reach, type Axis, type Cut } from './cuts';
import { recorder } from './film';
import { History } from './history';
import type { End, Look, Measured, Picked, RangeMode } from './look';
import { short, unitOf } from './numbers';
import type { Preset } from './orbit';
import type { Only, OnlyBy } from './selection';
import { named, t, type Key } from './texts';
import { Typed } from './typed';

export const presets: [Preset, Key][] = [['oblique', 'viewOblique'], ['front', 'viewFront'], ['side', 'viewSide'], ['top', 'viewTop']];
const mapNames: [MapName, Key][] = [['violet', 'mapViolet'], ['fire', 'mapFire'], ['diverging', 'mapDiverging'], ['grey', 'mapGrey']];
export type Engine = 'browser' | 'server';

export function colourTitle(frame: FrameData | null, look: Look, name: string): string {
  const unit = unitOf[name] ? ` (${unitOf[name]})` : '';
  if (!isVector(frame, name)) return named(name) + unit;
  return (look.part === 'length' ? `|${named(name)}|` : `${named(name)} ${look.part}`) + unit;
}

// A number that is taken when it is one.
function NumberField(p: { text: string; value: number; set: (value: number) => void; id?: string; step?: string; min?: number }) {
  return (
    <label>{p.text}
      <Typed type="number" id={p.id} step={p.step ?? 'any'} min={p.min} value={Number.isFinite(p.value) ? Number(p.value.toPrecision(7)) : ''} take={(field) => {
        const value = field.valueAsNumber;
        if (Number.isFinite(value)) p.set(value);
      }} />
    </label>
  );
}

function Numbers({ of }: { of: Particle | WallNumbers }) {
  const numbers = of as Particle;
  const told = (v: number | string | number[]) =>
    Array.isArray(v) ? v.map((x) => <span>{short(x, 7)}</span>) : <span>{typeof v === 'number' ? short(v, 7) : v}</span>;
  const order = ['position', 'radius', 'velocity', 'spin', 'force', 'torque', 'mass', 'charge', 'coordination', ...Object.keys(numbers)]
    .filter((k, at, all) => !['id', 'name', 'endless'].includes(k) && k in numbers && all.indexOf(k) === at);
  return (
    <dl>
      {order.map((k) => (
        <div key={k}>
          <dt>{named(k)}{unitOf[k] && <small> {unitOf[k]}</small>}</dt>
          <dd data-key={k} data-value={JSON.stringify(numbers[k])}>{told(numbers[k])}</dd>
        </div>
      ))}
    </dl>
  );
}

function CutRow({ cut, k, frame, change, remove }: { cut: Cut; k: number; frame: FrameData; change: (cut: Cut) => void; remove: () => void }) {
  const [low, high] = reach(frame, cut.normal);
  const name = `${t('cut')} ${k + 1}`;
  return (
    <fieldset class="cut" id={`cut-${k}`}>
      <legend>{name}: {cut.axis === 'sight' ? t('sight') : cut.axis}
        <button class="plain" aria-label={`${t('remove')}: ${name}`} title={t('remove')} onClick={remove}>×</button></legend>
      <input type="range" min={low} max={high} step={(high - low) / 400} value={cut.at} aria-label={`${name}: ${t('place')}`} aria-valuetext={`${short(cut.at)} m`}
        onInput={(e) => change({ ...cut, at: e.currentTarget.valueAsNumber })} />
      <div class="row">
        <NumberField text={`${t('place')} (m)`} value={cut.at} set={(at) => change({ ...cut, at })} />
        <NumberField text={`${t('thickness')} (m)`} value={cut.thickness} min={0} set={(thickness) => change({ ...cut, thickness: Math.max(0, thickness) })} />
      </div>
      {cut.thickness === 0 && <label class="check"><input type="checkbox" checked={cut.flipped} onChange={() => change({ ...cut, flipped: !cut.flipped })} />{t('flip')}</label>}
    </fieldset>
  );
}

function OnlyFields({ only, frame, change }: { only: Only; frame: FrameData; change: (only: Only) => void }) {
  const names = only.by === 'group' ? frame.groups : frame.materials;
  const choose = (by: OnlyBy) => change({
    ...only, by, names: by === 'group' ? frame.groups : frame.materials,
    box: only.box.length === 6 ? only.box : [...frame.focus[0], ...frame.focus[1]],
  });
  return (
    <div class="group">
      <label>{t('only')}
        <select id="only" value={only.by} onChange={(e) => choose(e.currentTarget.value as OnlyBy)}>
          <option value="all">{t('onlyAll')}</option>
          {frame.groups.length > 0 && <option value="group">{named('group')}</option>}
          {frame.materials.length > 0 && <option value="material">{named('material')}</option>}
          <option value="region">{t('onlyRegion')}</option>
        </select>
      </label>
      {(only.by === 'group' || only.by === 'material') && (
        <div class="names" role="group" aria-label={named(only.by)}>
          {names.map((name) => (
            <label class="check" key={name}><input type="checkbox" checked={only.names.includes(name)} onChange={() =>
              change({ ...only, names: only.names.includes(name) ? only.names.filter((n) => n !== name) : [...only.names, name] })} />{name}</label>
          ))}
        </div>
      )}
      {only.by === 'region' && (
        <div class="region" role="group" aria-label={t('region')}>
          {['x', 'y', 'z'].map((axis, a) => (
            <div class="row" key={axis}>
              {[a, a + 3].map((k) => (
                <NumberField key={k} id={`region-${k}`} text={`${axis}, ${t(k < 3 ? 'least' : 'most')} (m)`} value={only.box[k]} set={(value) =>
                  change({ ...only, box: only.box.map((old, at) => (at === k ? value : old)) })} />
              ))}
            </div>
          ))}
        </div>
      )}
      {only.by !== 'all' && <label class="check"><input type="checkbox" id="fades" checked={only.fades} onChange={() => change({ ...only, fades: !only.fades })} />{t('fadeOthers')}</label>}
    </div>
  );
}

const keyList: [string[], Key][] = [
  [['␣'], 'keySpace'], [['←', '→'], 'keyArrows'], [['Home', 'End'], 'keyHomeEnd'], [['f'], 'keyFit'], [['1', '2', '3', '4'], 'keyViews'],
  [['⇧←→↑↓', '+', '−'], 'keyCamera'], [['c', 'w'], 'keyToggles'], [['x', 'y', 'z'], 'keyCuts'], [[',', '.', 'i'], 'keyCutMove'],
  [['p', 'm'], 'keyPickers'], [['g'], 'keyGoWith'], [['d'], 'keyTheme'], [['Esc'], 'keyEscape'],
];

export interface Film {
  share: number; // of the film that is made
  stop: () => void;
}

export function ViewPane(p: {
  path: string; run: Run | null; frame: FrameData | null; look: Look; change: (look: Partial<Look>) => void; shownRange: Range | null;
  fit: () => void; preset: (which: Preset) => void; towardsEye: () => [number, number, number];
  picture: () => void; film: Film | null; makeFilm: (pictures: boolean) => void;
  picked: Picked; particle: Particle | null; pick: (what: Picked) => void; goesWith: boolean; setGoesWith: (on: boolean) => void;
  measuring: boolean; setMeasuring: (on: boolean) => void; ends: End[]; setEnds: (ends: End[]) => void; measured: Measured | null;
  engine: Engine; setEngine: (engine: Engine) => void; webgl: boolean; now: number; goTo: (time: number) => void;
}) {
  const { look, frame, change, picked } = p;
  const options = frame ? choices(frame) : [];
  const kinds = isKind(look.colour);
  const id = picked && 'id' in picked ? picked.id : null;
  const wall = picked && 'wall' in picked ? frame?.walls.find((w) => w.name === picked.wall) ?? null : null;
  const addCut = (axis: Axis) => frame && change({ cuts: [...look.cuts, newCut(frame, axis, p.towardsEye())].slice(-mostCuts) });
  const endText = (end: End | undefined) => (!end ? '–' : 'id' in end ? `${t('picked')} ${end.id}` : end.name);
  return (
    <div class="pane controls">
      <div class="row">
        <label>{t('colour')}
          <select id="colour" value={look.colour} onChange={(e) => change({ colour: e.currentTarget.value })}>
            {options.map((o) => <option key={o} value={o}>{named(o)}{unitOf[o] ? ` (${unitOf[o]})` : ''}</option>)}
          </select>
        </label>
        {isVector(frame, look.colour) && (
          <label>{t('part')}
            <select id="part" value={look.part} onChange={(e) => change({ part: e.currentTarget.value as Look['part'] })}>
              {parts.map((part) => <option key={part} value={part}>{part === 'length' ? t('length') : part}</option>)}
            </select>
          </label>
        )}
      </div>
      {!kinds && (
        <div class="row">
          <label>{t('colourMap')}
            <select id="map" value={look.map} onChange={(e) => change({ map: e.currentTarget.value as MapName })}>
              {mapNames.map(([name, text]) => <option key={name} value={name}>{t(text)}</option>)}
            </select>
          </label>
          <label>{t('range')}
            <select id="range" value={look.mode} onChange={(e) => {
              const mode = e.currentTarget.value as RangeMode;
              change({ mode, ...(mode === 'fixed' && p.shownRange ? { fixed: p.shownRange } : {}) });
            }}>
              <option value="seen">{t('rangeSeen')}</option>
              <option value="frame">{t('rangeFrame')}</option>
              <option value="fixed">{t('rangeFixed')}</option>
            </select>
          </label>
        </div>
      )}
      {!kinds && look.mode === 'fixed' && (
        <div class="row">
          <NumberField text={t('lowest')} value={look.fixed.low} set={(low) => change({ fixed: { ...look.fixed, low } })} />
          <NumberField text={t('highest')} value={look.fixed.high} set={(high) => change({ fixed: { ...look.fixed, high } })} />
        </div>
      )}
      <div class="checks">
        <label class="check"><input type="checkbox" id="walls" checked={look.walls} onChange={() => change({ walls: !look.walls })} />{t('walls')}</label>
        <label class="check"><input type="checkbox" id="chains" checked={look.chains} onChange={() => change({ chains: !look.chains })} />{t('chains')}
          {look.chains && frame?.chains?.count === 0 && <small>{t('noContacts')}</small>}</label>
        {p.run?.series.includes('breaks') && (
          <label class="check"><input type="checkbox" id="breaks" checked={look.breaks} onChange={() => change({ breaks: !look.breaks })} />{t('breaks')}</label>
        )}
      </div>
      <div class="group" role="group" aria-label={t('camera')}>
        <span>{t('camera')}</span>
        <div class="buttons">
          <button onClick={p.fit}>{t('viewFit')}</button>
          {presets.map(([which, text]) => <button key={which} onClick={() => p.preset(which)}>{t(text)}</button>)}
        </div>
      </div>
      <div class="group" role="group" aria-label={t('cuts')}>
        <span>{t('cuts')}</span>
        <div class="buttons">
          {(['x', 'y', 'z', 'sight'] as Axis[]).map((axis) => (
            <button key={axis} id={`add-cut-${axis}`} disabled={!frame} aria-label={`${t('addCut')}: ${axis === 'sight' ? t('sight') : axis}`}
              onClick={() => addCut(axis)}>+ {axis === 'sight' ? t('sight') : axis}</button>
          ))}
        </div>
        {frame && look.cuts.map((cut, k) => (
          <CutRow key={k} k={k} cut={cut} frame={frame} change={(next) => change({ cuts: look.cuts.map((old, at) => (at === k ? next : old)) })}
            remove={() => change({ cuts: look.cuts.filter((_, at) => at !== k) })} />
        ))}
      </div>
      {frame && <OnlyFields only={look.only} frame={frame} change={(only) => change({ only })} />}

      <div class="group particle" id="particle" data-id={id ?? ''} data-wall={wall?.name ?? ''}>
        <div class="row">
          <label>{t('particleNumber')}
            <Typed type="number" id="particle-number" min={0} step={1} value={id ?? ''} take={(field) => {
              const value = field.valueAsNumber;
              p.pick(Number.isInteger(value) ? { id: value } : null);
            }} />
          </label>
          <label>{t('wallName')}
            <select id="wall-name" value={wall?.name ?? ''} onChange={(e) => p.pick(e.currentTarget.value ? { wall: e.currentTarget.value } : null)}>
              <option value="">{t('none')}</option>
              {frame?.walls.map((w) => <option key={w.name} value={w.name}>{w.name}</option>)}
            </select>
          </label>
        </div>
        {picked === null ? <p class="hint">{t('pickHint')}</p> : (
          <>
            <span>{id !== null ? `${t('picked')} ${id}` : `${t('wallName')} ${wall?.name ?? ''}`}
              <button class="plain" aria-label={t('close')} onClick={() => p.pick(null)}>×</button></span>
            {id !== null && <label class="check"><input type="checkbox" id="go-with" checked={p.goesWith} onChange={() => p.setGoesWith(!p.goesWith)} />{t('withParticle')}</label>}
            {id !== null ? (p.particle?.id === id ? <Numbers of={p.particle as Particle} /> : <p class="hint">{t('gone')}</p>) : wall ? <Numbers of={wall} /> : <p class="hint">{t('gone')}</p>}
            {p.run && (
              <History run={p.path} frames={p.run.frames} subject={id !== null ? { id } : { wall: (picked as { wall: string }).wall }} now={p.now} go={p.goTo}
                quantities={id === null ? ['force', 'torque', 'velocity', 'origin'] : ['position', ...(frame?.particleArrays ?? []).map((a) => a.name)
                  .filter((n) => !['id', 'material', 'group', 'prescribed', 'orientation', 'radius', 'mass', 'speed'].includes(n))]} />
            )}
          </>
        )}
      </div>

      <div class="group" id="measure">
        <label class="check"><input type="checkbox" id="measuring" checked={p.measuring} onChange={() => p.setMeasuring(!p.measuring)} />{t('measure')}</label>
        {p.measuring && (
          <>
            <p class="hint">{t('measureHint')}</p>
            <div class="row">
              {[0, 1].map((k) => (
                <NumberField key={k} id={`end-${k}`} step="1" min={0} text={`${t(k === 0 ? 'from' : 'to')}: ${endText(p.ends[k])}`}
                  value={p.ends[k] && 'id' in p.ends[k] ? (p.ends[k] as { id: number }).id : NaN}
                  set={(value) => p.setEnds(k === 0 ? [{ id: value }, ...p.ends.slice(1)] : [...p.ends.slice(0, 1), { id: value }])} />
              ))}
            </div>
            {p.measured && (
              <dl aria-live="polite">
                <div><dt>{t('distance')}<small> m</small></dt><dd id="distance" data-value={p.measured.distance}><span>{short(p.measured.distance, 7)}</span></dd></div>
                {p.measured.gap !== null && <div><dt>{t('gap')}<small> m</small></dt><dd id="gap" data-value={p.measured.gap}><span>{short(p.measured.gap, 7)}</span></dd></div>}
              </dl>
            )}
          </>
        )}
      </div>

      <div class="group files">
        <button id="save-picture" onClick={p.picture} disabled={!frame}>{t('savePicture')}</button>
        {p.film ? (
          <span role="status">{t('filming')} <progress value={p.film.share} max={1} /> <button onClick={p.film.stop}>{t('cancel')}</button></span>
        ) : (
          <span role="group" aria-label={t('saveFilm')}>{t('saveFilm')}
            {recorder() && <button id="film-webm" disabled={!frame} onClick={() => p.makeFilm(false)}>{t('filmWebm')}</button>}
            <button id="film-zip" disabled={!frame} onClick={() => p.makeFilm(true)}>{t('filmPictures')}</button></span>
        )}
      </div>
      <label>{t('drawnBy')}
        <select id="engine" value={p.engine} onChange={(e) => p.setEngine(e.currentTarget.value as Engine)}>
          <option value="browser" disabled={!p.webgl}>{t('drawnByBrowser')}</option>
          <option value="server">{t('drawnByServer')}</option>
        </select>
        {!p.webgl && <small>{t('noWebglHere')}</small>}
      </label>
      <details class="keys">
        <summary>{t('help')}</summary>
        <ul>{keyList.map(([keys, text]) => <li key={text}>{keys.map((k) => <kbd key={k}>{k}</kbd>)}{t(text)}</li>)}</ul>
      </details>
    </div>
  );
}
