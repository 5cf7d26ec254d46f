// How the numbers of a particle or a wall went, frame by frame, as a plot. The frames are read piece by piece.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { getHistory, type FrameEntry, type Moment, type Subject } from './api';
import { css, kindColour } from './colours';
import { unitOf } from './numbers';
import { Plot, type Curve } from './plots';
import { named, t } from './texts';

export function History(p: { run: string; frames: FrameEntry[]; subject: Subject; quantities: string[]; now: number; go: (time: number) => void }) {
  const [what, setWhat] = useState(p.quantities[0]);
  const chosen = p.quantities.includes(what) ? what : p.quantities[0];
  const [moments, setMoments] = useState<Moment[]>([]);
  const key = `${p.subject.id} ${p.subject.wall} ${chosen}`;
  const count = p.frames.length;
  useEffect(() => setMoments([]), [key]);
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      let all = moments.length <= count ? moments : [];
      while (all.length < count && !stop.signal.aborted) {
        const more = await getHistory(p.run, all.length, p.subject, p.subject.wall || chosen === 'position' ? '' : chosen, stop.signal);
        if (more.length === 0 || stop.signal.aborted) return;
        all = [...all, ...more];
        setMoments(all);
      }
    };
    if (moments.length !== count) read().catch(() => {}); // the numbers beside it tell what is wrong
    return () => stop.abort();
  }, [key, count, moments.length === 0]);

  const { times, curves } = useMemo(() => {
    const there = moments.map((m, k) => ({ m: m?.[chosen] ?? null, time: p.frames[k]?.time ?? NaN })).filter((x) => Number.isFinite(x.time));
    const components = there.reduce((most, { m }) => Math.max(most, Array.isArray(m) ? m.length : 1), 1);
    const value = (m: number | number[] | null, c: number) => (m === null ? NaN : Array.isArray(m) ? m[c] : m);
    const made: Curve[] = Array.from({ length: components }, (_, c) => ({
      name: components === 1 ? named(chosen) : components === 3 ? 'xyz'[c] : 'wxyz'[c], stroke: css(kindColour(c)), values: there.map(({ m }) => value(m, c)),
    }));
    if (components === 3)
      made.push({ name: t('length'), stroke: css(kindColour(3)), dash: [6, 4], values: there.map(({ m }) => (m === null ? NaN : Math.hypot(...(m as number[])))) });
    return { times: Float64Array.from(there, (x) => x.time), curves: made };
  }, [moments, chosen]);

  return (
    <div class="history" id="history" data-count={moments.length}>
      <label>{t('history')}
        <select id="history-of" value={chosen} onChange={(e) => setWhat(e.currentTarget.value)}>
          {p.quantities.map((q) => <option key={q} value={q}>{named(q)}</option>)}
        </select>
      </label>
      {moments.length < count && <progress value={moments.length} max={count} aria-label={t('history')} />}
      {times.length > 1 && <Plot times={times} curves={curves} unit={unitOf[chosen] ?? ''} now={p.now} go={p.go} height={150} />}
    </div>
  );
}
