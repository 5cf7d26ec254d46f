// Descriptions of the keys of case files (`areia schema`) in Portuguese: the laws of contact. Data alone.
export const lawsPt: Record<string, string> = {
  'Another contact table, as `"grain-grain"`: its laws and parameters hold where this table says nothing.':
    'Outra tabela de contato, como `"grain-grain"`: suas leis e seus parâmetros valem onde esta tabela nada diz.',
  'A pair of the material library, as `"glass-glass"`: its restitution in the law `hertz`, its friction in `coulomb_history`, where this table says nothing. `areia materials` lists them.':
    'Um par da biblioteca de materiais, como `"glass-glass"`: sua restituição na lei `hertz`, seu atrito em `coulomb_history`, onde esta tabela nada diz. `areia materials` lista todos.',
  'Name of the law.': 'Nome da lei.',
  "hertz: damping ratio; give this or `restitution`, not both; penalty: damping ratio of the form of Hertz's law, in place of `c`; jkr: damping ratio, on the stiffness 2 E* a":
    'hertz: razão de amortecimento; dê esta ou `restitution`, não as duas; penalty: razão de amortecimento na forma da lei de Hertz, em lugar de `c`; jkr: razão de amortecimento, sobre a rigidez 2 E* a',
  'hertz: coefficient of restitution of a binary impact; sets xi; linear: coefficient of restitution of a binary impact; sets beta':
    'hertz: coeficiente de restituição de um impacto binário; define xi; linear: coeficiente de restituição de um impacto binário; define beta',
  'hertz: how xi follows from `restitution`': 'hertz: como xi decorre de `restitution`',
  'hertz: no tension: the normal force never pulls; linear: no tension: in contact the normal force never pulls; penalty: no tension: the normal force never pulls':
    'hertz: sem tração: a força normal nunca puxa; linear: sem tração: em contato a força normal nunca puxa; penalty: sem tração: a força normal nunca puxa',
  'hertz: effective moduli at a rigid wall: the limit of the pair formula, or 000 (2.93)':
    'hertz: módulos efetivos em uma parede rígida: o limite da fórmula do par, ou 000 (2.93)',
  "linear: spring of the pair; default: the materials' stiffnesses in series": 'linear: mola do par; padrão: as rigidezes dos materiais em série',
  'linear: damping ratio; give this or `restitution`, not both': 'linear: razão de amortecimento; dê esta ou `restitution`, não as duas',
  'linear: pseudo-contact: stiffness k_a of the attraction across a gap': 'linear: pseudocontato: rigidez k_a da atração através de uma folga',
  'linear: pseudo-contact: largest gap with attraction': 'linear: pseudocontato: maior folga com atração',
  'linear: whether the dashpot acts in the gap, too': 'linear: se o amortecedor age também na folga',
  'penalty: pressure K_p at strain 1': 'penalty: pressão K_p na deformação 1',
  'penalty: exponent P_p of the strain': 'penalty: expoente P_p da deformação',
  'penalty: damping c_d per area': 'penalty: amortecimento c_d por área',
  'penalty: area of contact: pi r* delta, or that of the lens': 'penalty: área de contato: pi r* delta, ou a da lente',
  'jkr: work of adhesion w per area': 'jkr: trabalho de adesão w por área',
  'coulomb_history: coefficient of friction, static and dynamic; coulomb_time: coefficient of friction; rate: coefficient of friction, static and dynamic':
    'coulomb_history: coeficiente de atrito, estático e dinâmico; coulomb_time: coeficiente de atrito; rate: coeficiente de atrito, estático e dinâmico',
  'coulomb_history: static coefficient, in place of `mu`; rate: static coefficient, in place of `mu`':
    'coulomb_history: coeficiente estático, em lugar de `mu`; rate: coeficiente estático, em lugar de `mu`',
  'coulomb_history: dynamic coefficient, at most the static one; default: the static one; rate: dynamic coefficient, at most the static one; default: the static one':
    'coulomb_history: coeficiente dinâmico, no máximo o estático; padrão: o estático; rate: coeficiente dinâmico, no máximo o estático; padrão: o estático',
  'coulomb_history: damping ratio of the tangential spring': 'coulomb_history: razão de amortecimento da mola tangencial',
  "coulomb_history: effective shear modulus: Mindlin's, or 000 (2.86)":
    'coulomb_history: módulo de cisalhamento efetivo: o de Mindlin, ou 000 (2.86)',
  'coulomb_history: the spring on a turning contact plane: projected, or turned with |s| kept':
    'coulomb_history: a mola em um plano de contato que gira: projetada, ou girada mantendo |s|',
  "coulomb_history: variant: stiffness of the spring over Mindlin's 8 G* a": 'coulomb_history: variante: rigidez da mola sobre a de Mindlin, 8 G* a',
  'coulomb_history: variant: coefficient from `xi`, equal to that of the normal law, or from its damping ratio':
    'coulomb_history: variante: coeficiente por `xi`, igual ao da lei normal, ou pela razão de amortecimento dela',
  'coulomb_history: times the coefficient that comes from the normal law': 'coulomb_history: multiplica o coeficiente que vem da lei normal',
  'coulomb_history: variant: what a contact keeps while its stiffness changes':
    'coulomb_history: variante: o que um contato mantém enquanto sua rigidez muda',
  'coulomb_history: variant: what it keeps falls in proportion to the radius of contact':
    'coulomb_history: variante: o que ele mantém diminui em proporção ao raio de contato',
  'coulomb_history: variant: the limit holds spring and dashpot, leaving the spring or what remains beside the dashpot; or the spring alone':
    'coulomb_history: variante: o limite vale para mola e amortecedor, deixando a mola ou o que resta além do amortecedor; ou só para a mola',
  "coulomb_history: variant: Coulomb's limit by the clamped normal force, or by its magnitude":
    'coulomb_history: variante: limite de Coulomb pela força normal sem tração, ou por seu módulo',
  'coulomb_time: tangential spring k_s of the pair': 'coulomb_time: mola tangencial k_s do par',
  'coulomb_time: damping ratio of the tangential spring': 'coulomb_time: razão de amortecimento da mola tangencial',
  'coulomb_time: how the spring is stretched: integral of the sliding, or 004 (2.7)':
    'coulomb_time: como a mola é esticada: integral do deslizamento, ou 004 (2.7)',
  'rate: tangential stress per length of sliding in a step': 'rate: tensão tangencial por comprimento de deslizamento em um passo',
  'rate: area of contact: pi r* delta, or that of the lens': 'rate: área de contato: pi r* delta, ou a da lente',
  'rate: sticking does not reverse the sliding within a step': 'rate: a aderência não inverte o deslizamento dentro de um passo',
  'constant: coefficient of rolling resistance mu_R; viscous: coefficient mu_R of the limit; epsd: coefficient of rolling resistance mu_R':
    'constant: coeficiente de atrito de rolamento mu_R; viscous: coeficiente mu_R do limite; epsd: coeficiente de atrito de rolamento mu_R',
  'constant: against the rolling part of w_i - w_j, or against all of it (000)':
    'constant: contra a parte de rolamento de w_i - w_j, ou contra toda ela (000)',
  'viscous: torque per rate of rolling c_R': 'viscous: torque por taxa de rolamento c_R',
  'viscous: whether the torque is limited by mu_R r* N': 'viscous: se o torque é limitado por mu_R r* N',
  'epsd: rolling spring k_R; 0: 2.25 k (mu_R r*)^2 of the normal spring k': 'epsd: mola de rolamento k_R; 0: 2.25 k (mu_R r*)^2 da mola normal k',
  'epsd: damping ratio of the rolling spring': 'epsd: razão de amortecimento da mola de rolamento',
  'constant: coefficient of twisting resistance mu_T; the limit is mu_T r* N; spring: coefficient of friction; the limit is (2/3) mu a N, a the radius of contact':
    'constant: coeficiente de atrito de torção mu_T; o limite é mu_T r* N; spring: coeficiente de atrito; o limite é (2/3) mu a N, onde a é o raio de contato',
  'spring: damping ratio of the twisting spring': 'spring: razão de amortecimento da mola de torção',
  "spring: effective shear modulus: Mindlin's, or 000 (2.86)": 'spring: módulo de cisalhamento efetivo: o de Mindlin, ou 000 (2.86)',
  'strain: force k_ad at strain 1': 'strain: força k_ad na deformação 1',
  'strain: exponent of the strain; with `hertz` an equilibrium needs beta < 3/2':
    'strain: expoente da deformação; com `hertz` um equilíbrio precisa de beta < 3/2',
  'strain: strain from which it acts': 'strain: deformação a partir da qual age',
  'strain: once begun it acts until the bodies separate; bond_area: once begun it acts until the bodies separate':
    'strain: uma vez iniciada, age até que os corpos se separem; bond_area: uma vez iniciada, age até que os corpos se separem',
  'strain: normal force in the limit of friction: of the contact alone, or with the adhesion; bond_area: normal force in the limit of friction: of the contact alone, or with the adhesion; dmt: normal force in the limit of friction: of the contact alone, or with the adhesion; capillary: normal force in the limit of friction: of the contact alone, or with the adhesion':
    'strain: força normal no limite de atrito: só a do contato, ou com a adesão; bond_area: força normal no limite de atrito: só a do contato, ou com a adesão; dmt: força normal no limite de atrito: só a do contato, ou com a adesão; capillary: força normal no limite de atrito: só a do contato, ou com a adesão',
  'bond_area: attraction per area at strain 1': 'bond_area: atração por área na deformação 1',
  'bond_area: tangential stress per length of sliding in a step': 'bond_area: tensão tangencial por comprimento de deslizamento em um passo',
  'bond_area: exponent of the strain': 'bond_area: expoente da deformação',
  'bond_area: strain from which it acts': 'bond_area: deformação a partir da qual age',
  'bond_area: the tangential part does not reverse the sliding within a step':
    'bond_area: a parte tangencial não inverte o deslizamento dentro de um passo',
  'dmt: work of adhesion w per area': 'dmt: trabalho de adesão w por área',
  'capillary: surface tension gamma of the liquid': 'capillary: tensão superficial gamma do líquido',
  'capillary: volume V of each bridge': 'capillary: volume V de cada ponte',
  'capillary: contact angle theta': 'capillary: ângulo de contato theta',
  'walton: e: normal velocity after over before': 'walton: e: velocidade normal depois sobre a de antes',
  'walton: e_t of a contact that does not slide through: -1 smooth, 0 the slip ends, 1 perfectly rough':
    'walton: e_t de um contato que não desliza até o fim: -1 liso, 0 o deslizamento termina, 1 perfeitamente rugoso',
  'walton: coefficient of friction: the tangential impulse is at most mu times the normal one':
    'walton: coeficiente de atrito: o impulso tangencial é no máximo mu vezes o normal',
};
