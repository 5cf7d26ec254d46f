// What the editor itself says, in the language of the page; in English it needs no help.
import { language } from './texts';

const phrases = {
  Find: 'Procurar', Replace: 'Substituir por', next: 'próxima', previous: 'anterior', all: 'todas', 'match case': 'maiúsculas',
  'by word': 'palavra inteira', regexp: 'expressão regular', replace: 'substituir', 'replace all': 'substituir todas', close: 'fechar',
  'current match': 'ocorrência atual', 'on line': 'na linha', 'replaced match on line $': 'substituída na linha $', 'replaced $ matches': '$ substituídas',
  'Go to line': 'Ir para a linha', go: 'ir', Completions: 'Sugestões', Diagnostics: 'Problemas', 'No diagnostics': 'Sem problemas',
  'Fold line': 'Recolher', 'Unfold line': 'Expandir', 'folded code': 'texto recolhido', unfold: 'expandir', 'Control character': 'Caractere de controle',
};
export const editorPhrases = (): Record<string, string> => (language.value === 'pt' ? phrases : {});
