// The times of the frames: where one is, stepping and playing.
import { short } from './numbers';
import { t } from './texts';

export function TimeLine(p: {
  times: number[]; at: number; go: (position: number) => void; playing: boolean; play: () => void; rate: number;
  setRate: (rate: number) => void; live: boolean; follow: boolean; setFollow: (on: boolean) => void;
}) {
  const last = p.times.length - 1;
  const now = p.at >= 0 && p.at <= last ? p.times[p.at] : 0;
  const button = (sign: string, text: string, act: () => void, off: boolean, id: string) => (
    <button class="step" id={id} title={text} aria-label={text} disabled={off} onClick={act}>{sign}</button>
  );
  return (
    <div class="timeline">
      {button('⏮', t('first'), () => p.go(0), p.at <= 0, 'first')}
      {button('◀', t('previous'), () => p.go(p.at - 1), p.at <= 0, 'previous')}
      {button(p.playing ? '⏸' : '▶', t(p.playing ? 'pause' : 'play'), p.play, last < 1, 'play')}
      {button('▶', t('next'), () => p.go(p.at + 1), p.at >= last, 'next')}
      {button('⏭', t('last'), () => p.go(last), p.at >= last, 'last')}
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
