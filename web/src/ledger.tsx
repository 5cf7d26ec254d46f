// The energy ledger as areas above each other: what is stored and what was dissipated against what was supplied. With
// the signs of the theory manual, section 16:
//   stored + dissipated = initial + wall_work + field_work - removed + numerical + residual
import { useEffect, useState } from 'preact/hooks';
import { getCsv, save, type Series } from './api';
import { css, kindColour } from './colours';
import { Plot, rises, useSeries, type Curve } from './plots';
import { t, type Key } from './texts';

const stored: Key[] = ['kinetic', 'rotational', 'potential', 'elastic_normal', 'elastic_tangential', 'elastic_rolling', 'adhesive', 'distant', 'bonds'];
const dissipated: Key[] = ['damping', 'sliding', 'rolling', 'adhesion', 'bond_damping', 'broken', 'drag'];
const supplied: [string, number][] = [['initial', 1], ['wall_work', 1], ['field_work', 1], ['removed', -1], ['numerical', 1]];

interface Stack {
  areas: Curve[];
  share: Curve[];
  worst: number; // largest share of the residual
}

export function stacked(series: Series): Stack {
  const column = (name: string) => series.columns[series.names.indexOf(`${name}_J`)];
  const n = series.columns[0].length;
  const above = new Float64Array(n), below = new Float64Array(n), line = new Float64Array(n);
  const areas: Curve[] = [];
  // Potential energy has no zero of its own: counted from its lowest value, on both sides.
  const potential = column('potential');
  const lowest = potential ? potential.reduce((a, b) => Math.min(a, b), Infinity) : 0;
  const add = (key: Key, index: number, alpha: number) => {
    const values = column(key);
    if (!values || values.every((v) => v === 0)) return;
    const top = new Float64Array(n);
    for (let k = 0; k < n; ++k) {
      const v = values[k] - (key === 'potential' ? lowest : 0);
      const pile = v < 0 ? below : above;
      pile[k] += v;
      top[k] = pile[k];
    }
    const colour = kindColour(index);
    areas.push({ name: t(key), values: top, stroke: css(colour), fill: css(colour, alpha), shown: values });
  };
  stored.forEach((key, k) => add(key, k, 1));
  dissipated.forEach((key, k) => add(key, k + 8, 1));
  areas.reverse(); // the highest first, so that lower ones cover it
  for (let k = 0; k < n; ++k) {
    for (const [name, sign] of supplied) line[k] += sign * (column(name)?.[k] ?? 0);
    line[k] -= lowest + below[k];
  }
  areas.push({ name: t('supplied'), values: line, stroke: 'currentColor', dash: [6, 4] });
  const residual = column('residual'), scale = column('turned_over');
  const share = new Float64Array(n);
  let worst = 0;
  for (let k = 0; k < n; ++k) {
    share[k] = scale && scale[k] > 0 ? residual[k] / scale[k] : 0;
    worst = Math.max(worst, Math.abs(share[k]));
  }
  return { areas, share: [{ name: t('residual'), values: share, stroke: css(kindColour(3)) }], worst };
}

export function LedgerPane(p: { run: string; there: boolean; version: number; now: number; go: (time: number) => void; language: string; theme: string }) {
  const { series, failure } = useSeries(p.run, p.there ? 'energy' : '', p.version);
  const [shown, setShown] = useState<{ times: Float64Array; stack: Stack } | null>(null);
  useEffect(() => {
    if (!series || !rises(series.columns[0])) return;
    const stack = stacked(series);
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();
    for (const c of stack.areas) if (c.stroke === 'currentColor') c.stroke = ink;
    setShown({ times: series.columns[0], stack });
  }, [series, p.language, p.theme]);
  if (!p.there) return <p class="empty">{t('noLedger')}</p>;
  return (
    <div class="pane">
      <div class="row">
        <h2>{t('ledgerTitle')}</h2>
        <button onClick={async () => save(await getCsv(p.run, 'energy'), 'energy.csv')}>{t('saveCsv')}</button>
      </div>
      {failure && <p class="failure">{failure}</p>}
      {shown && <Plot id="ledger" times={shown.times} curves={shown.stack.areas} unit="J" now={p.now} go={p.go} height={300} />}
      {shown && <Plot id="residual" times={shown.times} curves={shown.stack.share} unit={t('residualShare')} now={p.now} go={p.go} height={150} />}
      <p class="hint">{t('ledgerHint')}</p>
    </div>
  );
}
