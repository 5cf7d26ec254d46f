// The times of the frames: where one is, stepping and playing.
import { short } from './numbers';
import { t } from './texts';

const shapes = {
  first: 'M3 3h2v10H3zM13 3v10L6 8z', previous: 'M11 3v10L4 8z', play: 'M4 2l10 6-10 6z', pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M5 3v10l7-5z', last: 'M11 3h2v10h-2zM3 3v10l7-5z',
};
const Icon = ({ of }: { of: keyof typeof shapes }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path fill="currentColor" d={shapes[of]} /></svg>
);

export function TimeLine(p: {
  times: number[]; at: number; go: (position: number) => void; playing: boolean; play: () => void; rate: number;
  setRate: (rate: number) => void; live: boolean; follow: boolean; setFollow: (on: boolean) => void;
}) {
  const last = p.times.length - 1;
  const now = p.at >= 0 && p.at <= last ? p.times[p.at] : 0;
  const button = (sign: keyof typeof shapes, text: string, act: () => void, off: boolean, id: string) => (
    <button class="step" id={id} title={text} aria-label={text} disabled={off} onClick={act}><Icon of={sign} /></button>
  );
  return (
    <div class="timeline">
      {button('first', t('first'), () => p.go(0), p.at <= 0, 'first')}
      {button('previous', t('previous'), () => p.go(p.at - 1), p.at <= 0, 'previous')}
      {button(p.playing ? 'pause' : 'play', t(p.playing ? 'pause' : 'play'), p.play, last < 1, 'play')}
      {button('next', t('next'), () => p.go(p.at + 1), p.at >= last, 'next')}
      {button('last', t('last'), () => p.go(last), p.at >= last, 'last')}
      <input id="time" type="range" min={0} max={Math.max(0, last)} value={Math.max(0, p.at)} disabled={last < 1}
        aria-label={t('timeline')} aria-valuetext={`${short(now, 6)} s`} onInput={(e) => p.go(e.currentTarget.valueAsNumber)} />
      <output id="now">{short(now, 6)} s</output>
      <small>{Math.max(0, p.at + 1)} / {p.times.length}</small>
      <select aria-label={t('speed')} title={t('speed')} value={p.rate} onChange={(e) => p.setRate(Number(e.currentTarget.value))}>
        {[2, 5, 10, 20, 30].map((r) => <option key={r} value={r}>{r} /s</option>)}
      </select>
      {p.live && <label class="check" title={t('followTip')}><input type="checkbox" checked={p.follow} onChange={() => p.setFollow(!p.follow)} />{t('follow')}</label>}
    </div>
  );
}
