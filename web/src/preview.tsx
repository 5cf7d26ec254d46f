// A picture of one frame with its own camera, or with that of another picture.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Drawer, FrameData, Triple } from './api';
import { isKind, valuesOf, type Range } from './colouring';
import { kindTable, maps, table } from './colours';
import { DrawnView } from './drawn_view';
import { Orbit } from './orbit';
import type { Picture } from './picture';
import { problem } from './runs';
import { hasWebgl, View } from './scene';
import { useSignal } from './signal';
import { t } from './texts';
import { colourOf, theme } from './theme';

export interface Scene {
  frame: FrameData;
  up: Triple;
  flatAxis: number | null;
  drawer: Drawer; // where there is no WebGL
}

// It looks at what the frame says, or at `focus`.
export function Preview(p: { scene: Scene; colour: string; range?: Range; focus?: [Triple, Triple]; made?: (view: Picture | null) => void }) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<Picture | null>(null);
  const drawer = useRef(p.scene.drawer);
  drawer.current = p.scene.drawer;
  const [failure, setFailure] = useState('');
  const shade = useSignal(theme);
  const standing = `${p.scene.up} ${p.scene.flatAxis}`;
  useEffect(() => {
    if (!holder.current) return;
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', t('preview'));
    holder.current.prepend(canvas);
    const orbit = new Orbit(p.scene.up, p.scene.flatAxis);
    const made = hasWebgl() ? new View(canvas, orbit)
      : new DrawnView(canvas, orbit, p.scene.up, (...asked) => drawer.current(...asked), (e) => setFailure(problem(e)));
    view.current = made;
    p.made?.(made);
    return () => {
      p.made?.(null);
      made.dispose();
      canvas.remove();
      view.current = null;
    };
  }, [standing]);
  // the camera stays where it is while the case is edited, unless what is to be seen lies elsewhere
  const box = p.focus ?? p.scene.frame.focus;
  const focus = JSON.stringify(box);
  const seen = useRef('');
  useEffect(() => {
    const { frame } = p.scene;
    if (!view.current) return;
    setFailure('');
    const anew = seen.current !== focus + standing;
    seen.current = focus + standing;
    view.current.setFrame(frame, anew);
    if (anew) view.current.fit([{ focus: box }]);
    const values = valuesOf(frame, p.colour), range = p.range ?? frame.range;
    if (!values || !range) return;
    const kinds = isKind(p.colour);
    const { low, high } = range;
    view.current.setColours({ name: p.colour, values, low, high, kinds, table: kinds ? kindTable() : table(maps.violet) });
  }, [p.scene, p.colour, p.range?.low, p.range?.high, standing, focus]);
  useEffect(() => view.current?.setTheme(shade === 'dark', colourOf), [shade, standing]);
  return <div class="picture" ref={holder}>{failure && <p class="empty">{failure}</p>}</div>;
}
