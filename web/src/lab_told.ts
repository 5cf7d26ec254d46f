// What the program says of its systems and models, in the reader's language.
import { programPt } from './lab_program_pt';
import { language } from './texts';

const modesPt: [RegExp, string][] = [
  [/C-reverse-sliding/, 'deslizamento reverso na compressão'], [/E-reverse-sliding/, 'deslizamento reverso na expansão'],
  [/C-sticking/, 'aderência na compressão'], [/E-sticking/, 'aderência na expansão'], [/sliding/g, 'deslizamento'], [/sticking/g, 'aderência'],
  [/frictionless/, 'sem atrito'], [/impulse-ratio/, 'razão de impulsos'], [/averaged/, 'ponderado'], [/rebound/, 'rebote'], [/viscous/, 'viscoso'],
  [/reaction/, 'reação'], [/no-tangential-direction/, 'sem direção tangencial'], [/open/, 'aberto'],
];

export const told = (text: string): string => (language.value === 'pt' ? programPt[text] ?? text : text);
export const toldMode = (mode: string): string => (language.value === 'pt' ? modesPt.reduce((text, [from, to]) => text.replace(from, to), mode) : mode);
