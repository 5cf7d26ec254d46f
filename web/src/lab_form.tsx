// The form of the impact lab, made from what the program tells of its keys and coefficients.
import { useState } from 'preact/hooks';
import type { Coefficient, LabKey, Model, Params, Value } from './lab_api';
import { told } from './lab_told';
import { short } from './numbers';
import { t } from './texts';
import { Typed } from './typed';

// Where a slider goes: the range of the key, or about the value that it began with.
export interface Span {
  low: number;
  high: number;
}
const usual: Record<string, number> = { m: 1, 'm/s': 5, rad: Math.PI, 'rad/s': 10, s: 1, N: 10, 'N/m': 100, kg: 2, 'kg m^2': 0.01, 'm/s^2': 20 };
export function spanOf(value: number | null, unit: string, min: number | null, max: number | null): Span {
  const size = value !== null && value !== 0 ? Math.abs(value) : (usual[unit] ?? 1) / 2;
  const round = 2 * size;
  return { low: min ?? -round, high: max ?? Math.max(round, (min ?? 0) + round) };
}

function NumberRow(p: {
  id: string; name: string; unit: string; text: string; value: number | null; preset: string; span: Span; whole?: boolean; openLow?: boolean;
  set: (value: number | null) => void; problem?: string | undefined;
}) {
  const shown = p.value ?? (p.preset !== '' && Number.isFinite(Number(p.preset)) ? Number(p.preset) : null);
  const low = Math.min(p.span.low, shown ?? p.span.low), high = Math.max(p.span.high, shown ?? p.span.high);
  const step = p.whole ? 1 : (high - low) / 200;
  const angle = p.unit === 'rad' && shown !== null ? ` = ${short((shown * 180) / Math.PI, 4)}°` : '';
  const clean = (v: number) => Number(v.toPrecision(10));
  return (
    <div class={p.problem ? 'key wrong' : 'key'} title={told(p.text)}>
      <label for={p.id}><b>{p.name}</b><small>{p.unit}{angle}</small></label>
      <input id={`${p.id}-slider`} type="range" min={low} max={high} step={step} value={shown ?? low} aria-label={`${p.name}: ${told(p.text)}`}
        onInput={(e) => {
          const v = clean(e.currentTarget.valueAsNumber);
          p.set(p.openLow && v <= p.span.low ? clean(low + step) : v);
        }} />
      <Typed id={p.id} type="number" step="any" value={shown === null ? '' : clean(shown)} placeholder={p.preset === '' ? t('automatic') : p.preset}
        take={(field) => p.set(field.value === '' ? null : field.valueAsNumber)} />
      <p>{told(p.text)}</p>
      {p.problem && <p class="problem">{p.problem}</p>}
    </div>
  );
}

// Lists and matrices, as JSON writes them.
function JsonRow(p: { id: string; name: string; text: string; value: Value; set: (value: Value) => void; problem?: string | undefined }) {
  const [wrong, setWrong] = useState('');
  const [typed, setTyped] = useState<string | null>(null); // as in Typed; what is no JSON stays, to be mended
  const value = JSON.stringify(p.value);
  return (
    <div class={p.problem || wrong ? 'key wrong' : 'key'}>
      <label for={p.id}><b>{p.name}</b></label>
      <textarea id={p.id} rows={p.id.endsWith('contacts') ? 6 : 1} value={typed ?? value} onInput={(e) => setTyped(e.currentTarget.value)}
        onBlur={(e) => e.currentTarget.value === value && (setTyped(null), setWrong(''))} onChange={(e) => {
          try {
            p.set(JSON.parse(e.currentTarget.value) as Value);
            setTyped(null);
            setWrong('');
          } catch (error) {
            setWrong(String(error));
          }
        }} />
      <p>{told(p.text)}</p>
      {(wrong || p.problem) && <p class="problem">{wrong || p.problem}</p>}
    </div>
  );
}

export function KeyRows(p: { keys: LabKey[]; table: string; spans: Map<string, Span>; set: (path: string, value: Value) => void; problems: Map<string, string> }) {
  return (
    <>
      {p.keys.filter((k) => k.path.startsWith(`${p.table}.`)).map((k) => {
        const name = k.path.slice(p.table.length + 1), id = `key-${k.path.replace('.', '-')}`;
        const problem = p.problems.get(k.path);
        if (k.type === 'number' || k.type === 'integer') {
          const value = k.value as number | null;
          if (!p.spans.has(k.path)) p.spans.set(k.path, spanOf(value, k.unit, k.min, k.path === 'run.max_impacts' ? 2000 : k.max));
          return <NumberRow key={k.path} id={id} name={name} unit={k.unit} text={k.text} value={value} preset="" span={p.spans.get(k.path) as Span}
            whole={k.type === 'integer'} openLow={k.open_min} set={(v) => p.set(k.path, v)} problem={problem} />;
        }
        if (k.type === 'boolean')
          return <label key={k.path} class="check key"><input id={id} type="checkbox" checked={k.value === true} onChange={(e) => p.set(k.path, e.currentTarget.checked)} />{told(k.text)}</label>;
        return <JsonRow key={k.path} id={id} name={name} text={k.text} value={k.value} set={(v) => p.set(k.path, v)} problem={problem} />;
      })}
    </>
  );
}

function CoefficientRow(p: { prefix: string; of: Coefficient; params: Params; set: (name: string, value: number | string | null) => void; problem?: string | undefined }) {
  const c = p.of, value = p.params[c.name], id = `${p.prefix}-${c.name}`;
  if (c.words)
    return (
      <div class="key">
        <label for={id}><b>{c.name}</b></label>
        <select id={id} value={String(value ?? c.preset)} onChange={(e) => p.set(c.name, e.currentTarget.value === c.preset ? null : e.currentTarget.value)}>
          {c.words.split('|').map((w) => <option key={w} value={w}>{told(w)}</option>)}
        </select>
        <p>{told(c.text)}</p>
      </div>
    );
  const bound = c.min !== null && c.max !== null ? { low: c.min, high: c.max } : { low: c.min === null ? -2 : 0, high: 2 };
  return <NumberRow id={id} name={c.name} unit="" text={c.text} value={typeof value === 'number' ? value : null} preset={c.preset} span={bound}
    set={(v) => p.set(c.name, v)} problem={p.problem} />;
}

export function ModelRows(p: {
  prefix: string; title: string; models: Model[]; model: Model; params: Params; locked?: boolean; pick: (name: string) => void;
  set: (name: string, value: number | string | null) => void; problems: Map<string, string>;
}) {
  return (
    <>
      <label>{p.title}
        <select id={`${p.prefix}-model`} value={p.model.name} onChange={(e) => p.pick(e.currentTarget.value)}>
          {p.models.map((m) => <option key={m.name} value={m.name}>{told(m.title)}{m.never_gains ? '' : ' ▲'}</option>)}
        </select>
      </label>
      <p class="hint">{told(p.model.text)} <em>{told(p.model.guarantees)}</em>{!p.model.never_gains && <strong> {t('mayGain')}</strong>}</p>
      {!p.locked && p.model.coefficients.map((c) => (
        <CoefficientRow key={c.name} prefix={p.prefix} of={c} params={p.params} set={p.set} problem={p.problems.get(`params.${c.name}`)} />
      ))}
    </>
  );
}
