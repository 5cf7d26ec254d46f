// Where one is in the impact lab: it stands in the address, so that it can be kept and sent.
import type { Choices, Example, LabCase, Model, Params, Value } from './lab_api';

export interface LabState {
  name: string; // of the example that it began with, and of the file that is saved
  case: LabCase;
  second: { model: string; params: Params; own: boolean } | null; // `own`: coefficients apart from those of the first
  others: boolean; // end points of the other models in the impulse plane
}

const kPlace = '#/lab', kText = '#/lab?text=';
export const isLab = (hash: string): boolean => hash === kPlace || hash.startsWith(`${kPlace}/`) || hash.startsWith(kText);
// The text of a case file, which others link to.
export const labAddressOf = (text: string): string => `${kText}${encodeURIComponent(text)}`;
export const textOf = (hash: string): string | null => (hash.startsWith(kText) ? decodeURIComponent(hash.slice(kText.length)) : null);
export const addressOf = (s: LabState): string => `${kPlace}/${encodeURIComponent(JSON.stringify(s))}`;

// The state that an address has; nothing where it has none, or one that is no state.
export function stateOf(hash: string): LabState | null {
  try {
    const s = JSON.parse(decodeURIComponent(hash.slice(kPlace.length + 1))) as LabState;
    const table = (v: unknown) => typeof v === 'object' && v !== null && !Array.isArray(v);
    const sound = typeof s.name === 'string' && table(s.case) && typeof s.case.model === 'string' && table(s.case.params) && table(s.case.system)
      && (s.second === null || (table(s.second) && typeof s.second.model === 'string' && table(s.second.params)));
    return sound ? { ...s, case: { ...s.case, start: s.case.start ?? {}, run: s.case.run ?? {} } } : null;
  } catch {
    return null;
  }
}

export const stateFrom = (e: Example): LabState => ({
  name: e.name, case: { ...structuredClone(e.case), params: e.case.params ?? {}, start: e.case.start ?? {}, run: e.case.run ?? {} }, second: null, others: true,
});

// What a model knows of the coefficients; what it needs and is not given is what was used before, or usual.
export function paramsFor(model: Model, from: Params): Params {
  const usual: Params = { e: 0.8, mu: 0.4, ...from };
  const own: Params = {};
  for (const c of model.coefficients) {
    const value = c.required || (c.name === 'e' && !('KN' in from)) ? usual[c.name] : from[c.name];
    if (value === undefined) continue;
    if (typeof value === 'number' && ((c.min !== null && value < c.min) || (c.max !== null && value > c.max))) {
      if (c.required) own[c.name] = Math.min(c.max ?? Infinity, Math.max(c.min ?? -Infinity, value));
      continue;
    }
    own[c.name] = value;
  }
  return own;
}

// Those whose end points the coefficients of a case give, too.
function othersOf(models: Model[], name: string, params: Params): string[] {
  const fits = (m: Model) => m.coefficients.every((c) => {
    const v = params[c.name];
    if (v === undefined) return !c.required && !(m.name === 'fremond' && c.name === 'e');
    return typeof v === 'string' || ((c.min === null || v >= c.min) && (c.max === null || v <= c.max));
  });
  return models.filter((m) => m.name !== name && fits(m) && !('KN' in params)).map((m) => m.name);
}

// The cases of a state: one, or two.
export function casesOf(s: LabState, choices: Choices): LabCase[] {
  const made = (model: string, params: Params): LabCase => {
    const { diagram: _, ...rest } = s.case;
    const others = s.others ? othersOf(choices.models, model, params) : [];
    return { ...rest, model, params, ...(others.length ? { diagram: { models: others } } : {}) };
  };
  const first = made(s.case.model, s.case.params);
  if (!s.second) return [first];
  const model = choices.models.find((m) => m.name === s.second?.model);
  return [first, made(s.second.model, s.second.own || !model ? s.second.params : paramsFor(model, { ...s.second.params, ...s.case.params }))];
}

// A key of [system], [start] or [run] set, or removed by null.
export function withKey(c: LabCase, path: string, value: Value): LabCase {
  const [table, key] = path.split('.') as ['system' | 'start' | 'run', string];
  const changed = { ...c[table], [key]: value };
  if (value === null) delete changed[key];
  return { ...c, [table]: changed };
}

export function withParam(params: Params, name: string, value: number | string | null): Params {
  const changed = { ...params };
  if (value === null) delete changed[name];
  else changed[name] = value;
  return changed;
}
