// Descriptions of the keys of case files (`areia schema`) in Portuguese: what acts from afar, the run and its output. Data alone.
export const runPt: Record<string, string> = {
  'A field that acts on free particles. Several of them add.': 'Um campo que age sobre partículas livres. Vários deles se somam.',
  'Acceleration, such as gravity. [m/s^2]': 'Aceleração, como a da gravidade. [m/s^2]',
  'Electric field E: force q E. [V/m]': 'Campo elétrico E: força q E. [V/m]',
  'Magnetic field B: force q v x B. [T]': 'Campo magnético B: força q v x B. [T]',
  "Where it acts, by the particle's centre; everywhere without this key.": 'Onde age, pelo centro da partícula; sem esta chave, em toda parte.',
  'The vector turns about an axis.': 'O vetor gira em torno de um eixo.',
  'Axis; the right hand rule applies.': 'Eixo; vale a regra da mão direita.',
  'Angular velocity, from the start of the field. [rad/s]': 'Velocidade angular, a partir do início do campo. [rad/s]',
  'A set of geometric bonds: springs between anchors that are fixed in the bodies. A bond that breaks never heals.':
    'Um conjunto de ligações geométricas: molas entre âncoras fixas nos corpos. Uma ligação que se rompe nunca se refaz.',
  'Which bodies are joined: those with a gap of at most `max_gap`, those with centres within `max_distance`, or the listed `pairs`.':
    'Quais corpos são unidos: os que têm folga de no máximo `max_gap`, os que têm os centros a no máximo `max_distance`, ou os `pairs` listados.',
  'Group of particles; without it all of them.': 'Grupo de partículas; sem ele, todas.',
  "The partners' group; without it the bonds are among `group_a`.": 'O grupo dos parceiros; sem ele as ligações são dentro de `group_a`.',
  'The partner is the nearest point of this wall, and moves with it.': 'O parceiro é o ponto mais próximo desta parede, e se move com ela.',
  'touching: largest gap between the surfaces. [m]': 'touching: maior folga entre as superfícies. [m]',
  'near: largest distance of the centres, or of a centre from the wall. [m]':
    'near: maior distância entre os centros, ou de um centro à parede. [m]',
  'Pairs of particle ids, such as [[0, 1], [1, 2]]; for `list`.': 'Pares de números de partículas, como [[0, 1], [1, 2]]; para `list`.',
  'Anchors per pair. One, on the line of centres, is a ball joint; several, on a ring in the contact plane, resist bending and twist.':
    'Âncoras por par. Uma só, na linha dos centros, é uma rótula; várias, em um anel no plano de contato, resistem a flexão e torção.',
  'Radius of that ring; with a radius of the cement it is that over sqrt(2), so that the joint bends and twists as a cylinder. [m]':
    'Raio desse anel; com um raio do cimento é este sobre sqrt(2), para que a junta flexione e torça como um cilindro. [m]',
  'Radius of the cement between two bodies; its area is pi radius^2. [m]': 'Raio do cimento entre dois corpos; sua área é pi radius^2. [m]',
  "The same as a multiple of the smaller of the two radii; at a wall, of the particle's.":
    'O mesmo como múltiplo do menor dos dois raios; em uma parede, do raio da partícula.',
  'Spring k of one anchor. [N/m]': 'Mola k de uma âncora. [N/m]',
  "Young's modulus of the cement, in place of `stiffness`: k = young area/(length anchors), with the distance of the centres, or of a centre from the wall, for the length. [Pa]":
    'Módulo de Young do cimento, em lugar de `stiffness`: k = young area/(length anchors), onde area é a área do cimento e length a distância entre os centros, ou de um centro à parede. [Pa]',
  'Spring across the line of centres over the spring along it. 1 as in the source.':
    'Mola transversal à linha dos centros sobre a mola ao longo dela. 1 como na fonte.',
  "Poisson's ratio of the cement, in place of `shear_ratio`: 1/(2 (1 + poisson)).":
    'Coeficiente de Poisson do cimento, em lugar de `shear_ratio`: 1/(2 (1 + poisson)).',
  'The damper of one anchor: as given by `damper`, or so that a pair is critically damped along the line of centres, 2 sqrt(k m*/anchors), with the same damper across it.':
    'O amortecedor de uma âncora: como dado por `damper`, ou tal que um par tenha amortecimento crítico ao longo da linha dos centros, 2 sqrt(k m*/anchors), com o mesmo amortecedor na direção transversal.',
  'Damper c of one anchor. [N s/m]': 'Amortecedor c de uma âncora. [N s/m]',
  'In place of these: the damping of a pair over its critical damping, along the line of centres and across it alike.':
    'Em lugar desses: o amortecimento de um par sobre seu amortecimento crítico, igual ao longo da linha dos centros e na direção transversal.',
  'Force of one anchor beyond which it breaks, in every direction. [N]': 'Força de uma âncora além da qual ela se rompe, em qualquer direção. [N]',
  'In place of `strength`: pull along the line of centres at which an anchor breaks. [N]':
    'Em lugar de `strength`: tração ao longo da linha dos centros com que uma âncora se rompe. [N]',
  'Force across the line of centres at which it breaks. [N]': 'Força transversal à linha dos centros com que se rompe. [N]',
  'Push along the line of centres at which it breaks. [N]': 'Compressão ao longo da linha dos centros com que se rompe. [N]',
  "The tensile strength as a stress, on the anchor's share of the cement's area. [Pa]":
    'A resistência à tração como tensão, sobre a parte da âncora na área do cimento. [Pa]',
  'The shear strength as a stress. [Pa]': 'A resistência ao cisalhamento como tensão. [Pa]',
  'The compressive strength as a stress. [Pa]': 'A resistência à compressão como tensão. [Pa]',
  'Scatter of all strengths by one factor per joint: a share of 1 - exp(-x^modulus) of the joints has a factor below x. Without it all are alike.':
    'Dispersão de todas as resistências por um fator por junta: uma fração 1 - exp(-x^modulus) das juntas tem fator abaixo de x. Sem ela todas são iguais.',
  'The force that counts: with the damper, or of the spring alone.': 'A força que conta: com o amortecedor, ou só a da mola.',
  'Both anchors midway between the surfaces, without force at first; or each on its own surface, so that a gap is pulled together.':
    'As duas âncoras no meio entre as superfícies, sem força no início; ou cada uma em sua própria superfície, de modo que uma folga é fechada pela tração.',
  'Where forces act: midway between the anchors, which conserves angular momentum; or at each anchor, as in the source.':
    'Onde as forças agem: no meio entre as âncoras, o que conserva o momento angular; ou em cada âncora, como na fonte.',
  'Bonded bodies also touch as others do.': 'Os corpos ligados também se tocam, como os outros.',
  'The bonds are made when this stage begins; without it at the start.': 'As ligações são feitas quando esta etapa começa; sem ela, no início.',
  'The fluid around the particles. It acts on them; they do not act on it.':
    'O fluido em torno das partículas. Ele age sobre elas; elas não agem sobre ele.',
  'Density. [kg/m^3]': 'Densidade. [kg/m^3]',
  'Dynamic viscosity. [Pa s]': 'Viscosidade dinâmica. [Pa s]',
  'Drag: by the Reynolds number (`chow`, `schiller_naumann`), `coefficient` times the velocity (`linear`), or 6 pi c r u (`stokes`).':
    'Arrasto: pelo número de Reynolds (`chow`, `schiller_naumann`), `coefficient` vezes a velocidade (`linear`), ou 6 pi c r u (`stokes`).',
  'linear: force over velocity, kg/s; stokes: viscosity c, Pa s, 0 takes `viscosity`.':
    'linear: força sobre velocidade, kg/s; stokes: viscosidade c, Pa s, 0 toma `viscosity`.',
  'Magnus force M w x u; 0: none. [kg]': 'Força de Magnus M w x u; 0: nenhuma. [kg]',
  'The weight of the displaced fluid is carried.': 'O peso do fluido deslocado é sustentado (empuxo).',
  "Parts of the fluid's velocity; at rest without any.": 'Partes da velocidade do fluido; em repouso sem nenhuma.',
  'Velocity at `point`. [m/s]': 'Velocidade em `point`. [m/s]',
  'Three rows: how vx, vy and vz change along x, y and z, [[dvx/dx, dvx/dy, dvx/dz], ...]. [1/s]':
    'Três linhas: como vx, vy e vz mudam ao longo de x, y e z, [[dvx/dx, dvx/dy, dvx/dz], ...]. [1/s]',
  'Where the velocity is `velocity`. [m]': 'Onde a velocidade é `velocity`. [m]',
  'Where it flows; everywhere without this key.': 'Onde ele escoa; sem esta chave, em toda parte.',
  'Attraction and repulsion at a distance, f = k_at d^-a_at - k_rep d^-a_rep towards the other.':
    'Atração e repulsão à distância, f = k_at d^-a_at - k_rep d^-a_rep na direção do outro.',
  "Power laws, Lennard-Jones, or Coulomb's law between charges.": 'Leis de potência, Lennard-Jones, ou a lei de Coulomb entre cargas.',
  'Two groups, ["a", "b"], or one group twice; without this key all particles.':
    'Dois grupos, ["a", "b"], ou um grupo duas vezes; sem esta chave, todas as partículas.',
  'power: attraction, N m^a_at.': 'power: atração, N m^a_at.',
  'power: exponent of the attraction.': 'power: expoente da atração.',
  'power: repulsion, N m^a_rep.': 'power: repulsão, N m^a_rep.',
  'power: exponent of the repulsion.': 'power: expoente da repulsão.',
  'lennard_jones: depth of the well, epsilon. [J]': 'lennard_jones: profundidade do poço, epsilon. [J]',
  'lennard_jones: distance of zero energy, sigma. [m]': 'lennard_jones: distância de energia zero, sigma. [m]',
  'coulomb: permittivity of the surroundings. [F/m]': 'coulomb: permissividade do meio. [F/m]',
  'No force beyond this distance; none: every pair, exactly. [m]': 'Nenhuma força além desta distância; none: todos os pares, exatamente. [m]',
  'Subtract the force at the cut-off, so that it ends at zero.': 'Subtrair a força no raio de corte, para que ela termine em zero.',
  'Walls that act on the first group with the same law; the distance is that of centre and wall.':
    'Paredes que agem sobre o primeiro grupo com a mesma lei; a distância é a do centro à parede.',
  'A part of the run. Stages follow each other in the order of the file; at least one is needed.':
    'Uma parte da simulação. As etapas seguem umas às outras na ordem do arquivo; pelo menos uma é necessária.',
  'Name; default: stage1, stage2, ...': 'Nome; padrão: stage1, stage2, ...',
  'Simulated time. [s]': 'Tempo simulado. [s]',
  'The end of a stage by an event; with several of them by the first.': 'O fim de uma etapa por um evento; com vários deles, pelo primeiro.',
  'Ends when the kinetic energy per particle, without spin that no contact resists, stays below `rest_energy`.':
    'Termina quando a energia cinética por partícula, sem a rotação a que nenhum contato resiste, fica abaixo de `rest_energy`.',
  'Ends when this number of a series passes a bound: SERIES.COLUMN, as `state.particles`, `walls.lid.force_z_N`, or a column of a measure.':
    'Termina quando este número de uma série passa de um limite: SÉRIE.COLUNA, como `state.particles`, `walls.lid.force_z_N`, ou uma coluna de uma medida.',
  "The bound that it rises above, in the column's unit.": 'O limite acima do qual ele sobe, na unidade da coluna.',
  'The bound that it falls below.': 'O limite abaixo do qual ele cai.',
  'Time between two looks at it; auto: 100 steps. [s]': 'Tempo entre duas verificações; auto: 100 passos. [s]',
  'Ends after this time in any case; without it the stage waits, however long. [s]':
    'Termina depois deste tempo em qualquer caso; sem ele a etapa espera, por mais que demore. [s]',
  'Energy per particle; auto: 1e-6 of m g d of the mean particle; without gravity 1e-9 of the most that it has been. [J]':
    'Energia por partícula; auto: 1e-6 de m g d da partícula média; sem gravidade 1e-9 da maior que já houve. [J]',
  'Keys of `contacts`, `materials`, `fields`, `fluid` and `forces` that have another value from now on, by their paths: `set = { "contacts.default.tangential.mu" = 0.1 }`.':
    'Chaves de `contacts`, `materials`, `fields`, `fluid` e `forces` que têm outro valor de agora em diante, por seus caminhos: `set = { "contacts.default.tangential.mu" = 0.1 }`.',
  'Walls and groups taken away at the beginning of the stage, as ["walls.cage", "particles.pile"].':
    'Paredes e grupos retirados no início da etapa, como ["walls.cage", "particles.pile"].',
  'Walls that appear at the beginning of the stage, as ["walls.lid"]; before it they are not there.':
    'Paredes que aparecem no início da etapa, como ["walls.lid"]; antes dela não existem.',
  'Groups of prescribed particles that are free from now on.': 'Grupos de partículas de movimento prescrito que ficam livres de agora em diante.',
  'Groups of particles that stand still from now on.': 'Grupos de partículas que ficam paradas de agora em diante.',
  'The space of the simulation.': 'O espaço da simulação.',
  'Two corners, [[x, y, z], [x, y, z]]. Without it the domain is open everywhere. [m]':
    'Dois cantos, [[x, y, z], [x, y, z]]. Sem ela o domínio é aberto em toda parte. [m]',
  'Directions in which the box repeats itself.': 'Direções em que a caixa se repete.',
  'What happens to a particle whose centre leaves the box: nothing, it is taken out and counted as lost, or the run stops.':
    'O que acontece com uma partícula cujo centro sai da caixa: nada, ela é retirada e contada como perdida, ou a simulação para.',
  '2: motion in one plane only.': '2: movimento só em um plano.',
  'The plane of a 2-D run.': 'O plano de uma simulação 2-D.',
  '2-D: particles are disks of this thickness h, m = pi r^2 h rho; else spheres. [m]':
    '2-D: as partículas são discos desta espessura h, m = pi r^2 h rho; senão, esferas. [m]',
  'A load that deforms the periodic box along some of its axes. Shortening and compression count positive.':
    'Uma carga que deforma a caixa periódica ao longo de alguns de seus eixos. Encurtamento e compressão contam como positivos.',
  'Axes that it acts on. Where several loads act, the last one leads.': 'Eixos sobre os quais age. Onde várias cargas agem, vale a última.',
  'Rate of shortening over the present length; 0 holds the length. [1/s]':
    'Taxa de encurtamento sobre o comprimento atual; 0 mantém o comprimento. [1/s]',
  'Normal stress that is held, by contacts and by motion. [Pa]': 'Tensão normal que é mantida, por contatos e por movimento. [Pa]',
  '`stress`: largest strain rate; auto: an inertial number of 1e-3 at that stress. [1/s]':
    '`stress`: maior taxa de deformação; auto: um número inercial de 1e-3 nessa tensão. [1/s]',
  '`stress`: how fast it follows, times the gain that is chosen from the stiffness of the contacts and the step.':
    '`stress`: com que rapidez segue, vezes o ganho que é escolhido pela rigidez dos contatos e pelo passo.',
  'How the equations are solved. Everything here has a good default.': 'Como as equações são resolvidas. Tudo aqui tem um bom valor padrão.',
  'Soft contacts resolved in time steps, or hard spheres that fly from collision to collision.':
    'Contatos moles resolvidos em passos de tempo, ou esferas duras que voam de colisão em colisão.',
  'Time integration.': 'Integração no tempo.',
  'Time step; auto: from the stiffest and lightest contact. [s]': 'Passo de tempo; auto: pelo contato mais rígido e mais leve. [s]',
  'The automatic time step is the shortest contact time over this.':
    'O passo de tempo automático é a duração do contato mais curto sobre este número.',
  'Closing speed for the estimate of the time step; auto: from the case. [m/s]':
    'Velocidade de aproximação para a estimativa do passo de tempo; auto: a do caso. [m/s]',
  'Largest gap of pairs in the neighbour lists. [m]': 'Maior folga dos pares nas listas de vizinhos. [m]',
  'Settings of the scheme `trapezoid`.': 'Ajustes do esquema `trapezoid`.',
  'Weight of the new state: 0.5 is of second order, 1 damps strongly, 0 is explicit.':
    'Peso do novo estado: 0.5 é de segunda ordem, 1 amortece fortemente, 0 é explícito.',
  'All particles from the last iterate, or one after the other by id (serial, small systems).':
    'Todas as partículas a partir do último iterado, ou uma após a outra pelo número (em série, sistemas pequenos).',
  'First iterate: moved on at constant velocity, or the old state.':
    'Primeiro iterado: levado adiante com velocidade constante, ou o estado antigo.',
  'Sweeps after which a step counts as not converged.': 'Varreduras depois das quais um passo conta como não convergido.',
  'Tolerance of the relative error of positions.': 'Tolerância do erro relativo das posições.',
  'Tolerance of the relative error of turns.': 'Tolerância do erro relativo dos giros.',
  'Tolerance of the relative error of velocities.': 'Tolerância do erro relativo das velocidades.',
  'Tolerance of the relative error of spins.': 'Tolerância do erro relativo das velocidades angulares.',
  'Tolerance of errors that there is nothing to divide by.': 'Tolerância de erros que não há pelo que dividir.',
  'Velocities and spins are tested, too.': 'As velocidades e as velocidades angulares também são testadas.',
  'Control of the step size by the number of sweeps or by their errors; `dt` is the largest step.':
    'Controle do tamanho do passo pelo número de varreduras ou por seus erros; `dt` é o maior passo.',
  'Sweeps per step that the control aims at; with zohdi also the most.': 'Varreduras por passo que o controle procura; com zohdi, também o máximo.',
  'Relative error beyond which a step is given up.': 'Erro relativo além do qual um passo é abandonado.',
  'Smallest step of the control; auto: 1/1000 of `dt`. [s]': 'Menor passo do controle; auto: 1/1000 de `dt`. [s]',
  'A step that neither converges nor may become smaller: its best iterate is accepted and counted, or the run stops.':
    'Um passo que nem converge nem pode ficar menor: seu melhor iterado é aceito e contado, ou a simulação para.',
  'Settings of `engine = "events"`.': 'Ajustes de `engine = "events"`.',
  'A body that collided less than this ago collides elastically, which keeps a collapse from happening (TC model). [s]':
    'Um corpo que colidiu há menos tempo que este colide elasticamente, o que impede um colapso (modelo TC). [s]',
  'The run stops when a particle collides 100 times within this; auto: 1e-10 of the run. [s]':
    'A simulação para quando uma partícula colide 100 vezes dentro deste tempo; auto: 1e-10 da simulação. [s]',
  'Book work and energy per mechanism.': 'Contabilizar trabalho e energia por mecanismo.',
  'Angle turned in a step: |w| dt, or 2 atan(|w| dt / 2) of the source.': 'Ângulo girado em um passo: |w| dt, ou 2 atan(|w| dt / 2) da fonte.',
  'Lever arm of contact forces: the radius, or shortened by the overlap.':
    'Braço de alavanca das forças de contato: o raio, ou o raio encurtado pela sobreposição.',
  'Overlap over the smaller radius beyond which particles are refused at the start; raise it to read back a soft packing.':
    'Sobreposição sobre o menor raio além da qual partículas são recusadas no início; aumente para ler de volta um empacotamento mole.',
  'Overlap over the smaller radius beyond which the run stops as blown up; at 2 the centres of equal spheres meet, and nothing says which way they push each other.':
    'Sobreposição sobre o menor raio além da qual a simulação para, por ter divergido; em 2 os centros de esferas iguais se encontram, e nada diz em que sentido elas se empurram.',
  'Threads; all: as many as help, of the cores it may use. Results do not depend on it.':
    'Threads; all: quantas ajudarem, dos núcleos que pode usar. Os resultados não dependem disso.',
  'Seed of all random numbers.': 'Semente de todos os números aleatórios.',
  'What is written to the results folder.': 'O que é gravado na pasta de resultados.',
  'Time between frames; ends: first and last only. [s]': 'Tempo entre quadros; ends: só o primeiro e o último. [s]',
  'Time between lines of the series; auto: 1/200 of the run. [s]': 'Tempo entre linhas das séries; auto: 1/200 da simulação. [s]',
  'Wall clock time between checkpoints. [s]': 'Tempo de relógio entre pontos de controle. [s]',
  'Write the contacts with the frames.': 'Gravar os contatos com os quadros.',
  'Time between frames that have contacts, from `frames` upwards; frames: all have. The first and the last frame have them in any case. [s]':
    'Tempo entre quadros que têm contatos, de `frames` para cima; frames: todos têm. O primeiro e o último quadro os têm em qualquer caso. [s]',
  'Arrays of particles in frames, beside positions, `id` and `radius`; all: every one.':
    'Grandezas das partículas nos quadros, além das posições, de `id` e de `radius`; all: todas.',
  'Arrays of contacts in frames, beside `i`, `j` and `wall`; all: every one.':
    'Grandezas dos contatos nos quadros, além de `i`, `j` e `wall`; all: todas.',
  'Of the numbers in frames; single: positions are doubles where floats would move a centre by more than 1e-4 of its radius. Checkpoints and series are always exact.':
    'Dos números nos quadros; single: as posições são de precisão dupla onde a simples moveria um centro em mais de 1e-4 de seu raio. Pontos de controle e séries são sempre exatos.',
  'Ids of particles whose motion is written to the series.': 'Números das partículas cujo movimento é gravado nas séries.',
  'Named regions in which the solid fraction is measured.': 'Regiões com nome em que a fração de sólidos é medida.',
  'Something measured while the case runs, into NAME.csv.': 'Algo que é medido durante a simulação e gravado em NOME.csv.',
  'What is measured; the guide explains each.': 'O que é medido; o guia explica cada uma.',
  'Time between looks; without it those of the series. [s]': 'Tempo entre observações; sem ele, o das séries. [s]',
  'Each line is the mean over the looks of a window of this length; without it of one instant. [s]':
    'Cada linha é a média das observações em uma janela desta duração; sem ela, um só instante. [s]',
  'Particles of this group only; without it all free particles.': 'Só as partículas deste grupo; sem ele, todas as partículas livres.',
  'mixing: the second group; radial_distribution: that of the partners, without it `group`.':
    'mixing: o segundo grupo; radial_distribution: o dos parceiros, sem ele `group`.',
  'Only what lies in this region; stress, profile and radial_distribution need one with a volume, field a box.':
    'Só o que fica nesta região; stress, profile e radial_distribution precisam de uma com volume, field de uma caixa.',
  'Up (repose_angle), normal of the plate towards the particles (deposit), direction of the flow (mass_flow), across the slices of a box (profile).':
    'Para cima (repose_angle), normal da placa na direção das partículas (deposit), direção do escoamento (mass_flow), através das fatias de uma caixa (profile).',
  'Middle of the base (repose_angle), of the plate (deposit), of the opening (mass_flow). [m]':
    'Meio da base (repose_angle), da placa (deposit), da abertura (mass_flow). [m]',
  'Of the target (deposit), of the opening (mass_flow; without it the whole plane), largest distance (radial_distribution). [m]':
    'Do alvo (deposit), da abertura (mass_flow; sem ele, o plano inteiro), maior distância (radial_distribution). [m]',
  "mixing: edge of the cells; auto: four mean diameters. field: longest edge of the grid's cells, at most `width`. [m]":
    'mixing: aresta das células; auto: quatro diâmetros médios. field: maior aresta das células da grade, no máximo `width`. [m]',
  'field: standard deviation of the coarse-graining function along an axis. [m]':
    'field: desvio padrão da função de suavização (coarse-graining) ao longo de um eixo. [m]',
  'profile: slices; force_distribution, radial_distribution: bins of the histogram.':
    'profile: fatias; force_distribution, radial_distribution: classes do histograma.',
  'force_distribution: end of the histogram, force over its mean.': 'force_distribution: fim do histograma, força sobre sua média.',
  'mixing: by which shares are counted.': 'mixing: pelo que as frações são contadas.',
  'wear: these walls; without it all.': 'wear: estas paredes; sem elas, todas.',
  'loading: its name.': 'loading: seu nome.',
  "wear: volume worn off over normal force times slip, Archard's K/H. [1/Pa]":
    'wear: volume desgastado sobre força normal vezes deslizamento, o K/H de Archard. [1/Pa]',
};
