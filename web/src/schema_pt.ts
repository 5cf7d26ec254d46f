// What the program says of the keys of a case, and of what it chose for one, in the reader's language: sentences without values,
// which are the same for every case. web/test/texts_test.mjs fails where one is missing.
import { bodiesPt } from './schema_pt_bodies';
import { lawsPt } from './schema_pt_laws';
import { runPt } from './schema_pt_run';
import { language } from './texts';

export const keysPt: Record<string, string> = { ...bodiesPt, ...lawsPt, ...runPt };
export const choicesPt: Record<string, string> = {
  'time step': 'passo de tempo',
  skin: 'margem das listas',
  cell: 'célula',
  threads: 'número de threads',
  'given by the case': 'do caso',
  given: 'do caso',
  'a quarter of the smallest radius, up to 5 times that where particles move fast':
    'um quarto do menor raio, até 5 vezes isso onde as partículas se movem depressa',
  'largest diameter and skin, one size class': 'maior diâmetro e margem, uma classe de tamanho',
  'given by the case: grid of outputs and ends of stages, collisions have their own times':
    'do caso: grade das saídas e dos fins de etapas, as colisões têm seus próprios tempos',
  'grid of outputs and ends of stages; collisions have their own times':
    'grade das saídas e dos fins de etapas; as colisões têm seus próprios tempos',
  'not used': 'não usada',
  'at least the largest diameter': 'pelo menos o maior diâmetro',
  'collisions follow one another': 'as colisões seguem umas às outras',
  '[contacts.default], since it has none of its own': '[contacts.default], pois não tem uma própria',
};
const told: Record<string, string> = { ...keysPt, ...choicesPt };
export const toldOf = (text: string): string => (language.value === 'pt' ? told[text] ?? text : text);
