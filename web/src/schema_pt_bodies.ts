// Descriptions of the keys of case files (`areia schema`) in Portuguese: the case, its bodies and walls. Data alone.
export const bodiesPt: Record<string, string> = {
  'One line about the case.': 'Uma linha sobre o caso.',
  'The case starts from the state of another run: particles with their ids, contacts with what they remember, bonds. Time begins at 0.':
    'O caso parte do estado de outra simulação: partículas com seus números, contatos com o que eles lembram, ligações. O tempo começa em 0.',
  'Results folder of the run, relative to the case file; or one of its checkpoints (.h5) or frames (.vtp).':
    'Pasta de resultados da simulação, relativa ao arquivo do caso; ou um de seus pontos de controle (.h5) ou quadros (.vtp).',
  'Of a folder: the frame nearest to this time, which has no contacts; last: the last checkpoint, exact and with all of them. [s]':
    'De uma pasta: o quadro mais próximo deste tempo, que não tem contatos; last: o último ponto de controle, exato e com todos eles. [s]',
  'Walls of the same name and shape begin where the run has left them; or all begin where they are written.':
    'As paredes de mesmo nome e mesma forma começam onde a simulação as deixou; ou todas começam onde estão escritas.',
  'What a body is made of. Names consist of letters, digits and `_`.': 'De que um corpo é feito. Os nomes têm letras, dígitos e `_`.',
  'A material of the library, as `"glass"`: its density, Young\'s modulus and Poisson\'s ratio, where they are not given here. `areia materials` lists them with their sources.':
    'Um material da biblioteca, como `"glass"`: sua densidade, seu módulo de Young e seu coeficiente de Poisson, onde não são dados aqui. `areia materials` lista todos com suas fontes.',
  'Density; needed by particles without a mass of their own. [kg/m^3]': 'Densidade; necessária para partículas sem massa própria. [kg/m^3]',
  'Modulus of elasticity E; needed by the normal laws `hertz` and `jkr`, the tangential law `coulomb_history` and the twisting law `spring`. [Pa]':
    'Módulo de elasticidade E; necessário para as leis normais `hertz` e `jkr`, a lei tangencial `coulomb_history` e a lei de torção `spring`. [Pa]',
  "Poisson's ratio.": 'Coeficiente de Poisson.',
  'Contact stiffness of a particle; needed by the normal law `linear` unless the pair has its own. [N/m]':
    'Rigidez de contato de uma partícula; necessária para a lei normal `linear`, a não ser que o par tenha a sua. [N/m]',
  'Does not deform; for walls only.': 'Não se deforma; só para paredes.',
  "What acts between two materials, as [contacts.A-B]; `[contacts.default]` serves all pairs without a table. A pair of a particle and a wall material without either takes the table of the particle's material with itself. `areia check` tells the table of every pair.":
    'O que age entre dois materiais, como [contacts.A-B]; `[contacts.default]` serve a todos os pares sem tabela. Um par de uma partícula e um material de parede sem nenhuma das duas usa a tabela do material da partícula consigo mesmo. `areia check` diz qual é a tabela de cada par.',
  'A set of particles that are made in the same way.': 'Um conjunto de partículas criadas da mesma maneira.',
  'Name of the material.': 'Nome do material.',
  'Group that stages and outputs speak of; default: the name of the set.': 'Grupo ao qual etapas e saídas se referem; padrão: o nome do conjunto.',
  'One radius for all, or a distribution to draw from. Needed unless every particle brings its own. [m]':
    'Um raio para todas, ou uma distribuição da qual ele é sorteado. Necessário, a não ser que cada partícula traga o seu. [m]',
  'Uniform between two radii.': 'Uniforme entre dois raios.',
  'Smallest radius. [m]': 'Menor raio. [m]',
  'Largest radius. [m]': 'Maior raio. [m]',
  'Normal distribution, cut off on both sides.': 'Distribuição normal, truncada dos dois lados.',
  'Mean radius. [m]': 'Raio médio. [m]',
  'Standard deviation before the cut. [m]': 'Desvio padrão antes do truncamento. [m]',
  'Radii farther than this many standard deviations from the mean are drawn again.':
    'Raios a mais que este número de desvios padrão da média são sorteados de novo.',
  'A grading curve: sieves with the mass fraction that passes, smallest first. Between two lines the fraction is linear in the logarithm of the size.':
    'Uma curva granulométrica: peneiras com a fração de massa que passa, da menor à maior. Entre duas linhas a fração é linear no logaritmo do tamanho.',
  'Half the opening of the sieve. [m]': 'Metade da abertura da peneira. [m]',
  'Mass fraction of the particles that are smaller; 0 in the first line, 1 in the last.':
    'Fração da massa das partículas que são menores; 0 na primeira linha, 1 na última.',
  'Radii and how often each occurs.': 'Raios e com que frequência cada um ocorre.',
  'Radius. [m]': 'Raio. [m]',
  'Relative number of particles.': 'Número relativo de partículas.',
  'Mass of each; else from the density. [kg]': 'Massa de cada uma; senão, a da densidade. [kg]',
  'Electric charge of each. [C]': 'Carga elétrica de cada uma. [C]',
  'Initial velocity. [m/s]': 'Velocidade inicial. [m/s]',
  'Standard deviation of each component of a random velocity (normal, cut at 5) that is added; the momentum of the set stays. [m/s]':
    'Desvio padrão de cada componente de uma velocidade aleatória (normal, truncada em 5) que é somada; a quantidade de movimento do conjunto se mantém. [m/s]',
  'Initial angular velocity. [rad/s]': 'Velocidade angular inicial. [rad/s]',
  'Particles one by one.': 'Partículas uma a uma.',
  'Centre. [m]': 'Centro. [m]',
  'Velocity, added to that of the set. [m/s]': 'Velocidade, somada à do conjunto. [m/s]',
  'Angular velocity, added to that of the set. [rad/s]': 'Velocidade angular, somada à do conjunto. [rad/s]',
  'Radius; else that of the set. [m]': 'Raio; senão, o do conjunto. [m]',
  'Mass; else from the density. [kg]': 'Massa; senão, a da densidade. [kg]',
  'Electric charge; else that of the set. [C]': 'Carga elétrica; senão, a do conjunto. [C]',
  'A file of particles, relative to the case file, in SI units: comma separated values, LAMMPS data (atom_style sphere), a LAMMPS or LIGGGHTS dump, or VTK (legacy ASCII, .vtp, .vtu). The header of comma separated values names the columns: `x`, `y`, `z`, and optionally `radius`, `mass`, `charge`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`. An empty radius, mass or charge is that of the set; `#` begins a comment.':
    'Um arquivo de partículas, relativo ao arquivo do caso, em unidades SI: valores separados por vírgulas, dados do LAMMPS (atom_style sphere), um dump do LAMMPS ou do LIGGGHTS, ou VTK (ASCII antigo, .vtp, .vtu). O cabeçalho dos valores separados por vírgulas dá nome às colunas: `x`, `y`, `z` e, opcionalmente, `radius`, `mass`, `charge`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`. Um raio, uma massa ou uma carga em branco é a do conjunto; `#` inicia um comentário.',
  'Time step to take from a dump given as `file`; else the last one.': 'Passo de tempo a ler de um dump dado em `file`; senão, o último.',
  'Particles as lines of comma separated values in a multi-line text, with the columns of `file`.':
    'Partículas como linhas de valores separados por vírgulas em um texto de várias linhas, com as colunas de `file`.',
  'Particles on a regular lattice, filled upwards.': 'Partículas em uma rede regular, preenchida de baixo para cima.',
  'Where.': 'Onde.',
  'A box by two opposite corners, [[x, y, z], [x, y, z]], smallest first. [m]':
    'Uma caixa por dois cantos opostos, [[x, y, z], [x, y, z]], o menor primeiro. [m]',
  'A ball.': 'Uma bola.',
  'A solid cylinder.': 'Um cilindro maciço.',
  'One end of the axis. [m]': 'Uma ponta do eixo. [m]',
  'Other end of the axis. [m]': 'A outra ponta do eixo. [m]',
  'What lies on one side of a plane.': 'O que fica de um lado de um plano.',
  'A point of the plane. [m]': 'Um ponto do plano. [m]',
  'Towards the side that is meant.': 'Para o lado que se quer dizer.',
  'What lies between two parallel planes, through the two points and normal to their connection.':
    'O que fica entre dois planos paralelos, que passam pelos dois pontos e são normais ao segmento que os une.',
  'A point of one plane. [m]': 'Um ponto de um plano. [m]',
  'A point of the other. [m]': 'Um ponto do outro. [m]',
  'The inside of a closed surface.': 'O interior de uma superfície fechada.',
  'File of the surface, relative to the case file.': 'Arquivo da superfície, relativo ao arquivo do caso.',
  'Metres per unit of the file.': 'Metros por unidade do arquivo.',
  'All space but this part is meant.': 'Vale todo o espaço, menos esta parte.',
  'Simple cubic, or hexagonal layers.': 'Cúbica simples, ou camadas hexagonais.',
  'Distance of nearest centres; auto: twice the largest radius. [m]': 'Distância entre centros vizinhos; auto: duas vezes o maior raio. [m]',
  'Largest random shift along each axis. [m]': 'Maior deslocamento aleatório ao longo de cada eixo. [m]',
  'Number of particles; all: as many as fit.': 'Número de partículas; all: quantas couberem.',
  'Random sequential addition: particles drawn one by one, kept where they touch nothing; by itself or as the beginning of a denser packing.':
    'Adição sequencial aleatória: as partículas são sorteadas uma a uma e ficam onde não tocam em nada; por si só ou como início de um empacotamento mais denso.',
  '`rsa`: random sequential addition alone, good up to a solid fraction of about 0.38 for equal spheres. `layers`: layer by layer, each left to settle under gravity between the walls. `grow`: placed with reduced radii that grow while the packing gives way.':
    '`rsa`: só a adição sequencial aleatória, boa até uma fração de sólidos de cerca de 0.38 para esferas iguais. `layers`: camada por camada, cada uma deixada a se assentar sob a gravidade entre as paredes. `grow`: postas com raios reduzidos, que crescem enquanto o empacotamento cede.',
  'Where; particles lie inside entirely.': 'Onde; as partículas ficam inteiramente dentro.',
  'Number of particles. `layers` may do without: the region is then filled to its top.':
    'Número de partículas. `layers` pode dispensá-lo: a região é então preenchida até o topo.',
  'Volume of particles over region.': 'Volume das partículas sobre o da região.',
  'Smallest gap between surfaces, when placed. [m]': 'Menor folga entre as superfícies na hora da colocação. [m]',
  'Rejections in a row after which filling gives up.': 'Rejeições seguidas após as quais o preenchimento desiste.',
  'layers: height of the space in which the next layer is placed; auto: three largest diameters. [m]':
    'layers: altura do espaço em que a próxima camada é posta; auto: três vezes o maior diâmetro. [m]',
  'rsa, grow: afterwards settle under gravity with the laws of the case until at rest.':
    'rsa, grow: depois, as partículas se assentam sob a gravidade, com as leis do caso, até o repouso.',
  'layers, relax: kinetic energy per particle that counts as rest; auto: 1e-4 of what the mean particle gains by falling through its diameter. [J]':
    'layers, relax: energia cinética por partícula que vale como repouso; auto: 1e-4 do que a partícula média ganha ao cair o seu diâmetro. [J]',
  'layers, relax: longest time of one settling; auto: six times the fall through the height. [s]':
    'layers, relax: duração máxima de um assentamento; auto: seis vezes a da queda pela altura. [s]',
  'layers, relax: coefficient of friction of all contacts while they settle, in place of those of the case; less of it packs more densely.':
    'layers, relax: coeficiente de atrito de todos os contatos durante o assentamento, em lugar dos do caso; com menos atrito o empacotamento fica mais denso.',
  'An inlet: particles that come while the simulation runs, placed by random addition where they touch nothing.':
    'Uma entrada: partículas que chegam durante a simulação, postas por adição aleatória onde não tocam em nada.',
  'Where they appear; they lie inside entirely.': 'Onde elas aparecem; ficam inteiramente dentro.',
  'Particles per second. [1/s]': 'Partículas por segundo. [1/s]',
  'Mass per second. [kg/s]': 'Massa por segundo. [kg/s]',
  'Number of particles in all.': 'Número total de partículas.',
  'Time between insertions; auto: what the particles need to leave their own diameter. [s]':
    'Tempo entre inserções; auto: o que as partículas precisam para se afastar de um diâmetro. [s]',
  'Time at which it begins. [s]': 'Tempo em que começa. [s]',
  'Time at which it ends. [s]': 'Tempo em que termina. [s]',
  'Stage with whose beginning it begins, in place of `start`.': 'Etapa com cujo início começa, em lugar de `start`.',
  'Stage with whose beginning it ends, in place of `stop`.': 'Etapa com cujo início termina, em lugar de `stop`.',
  'The particles of the set of this name in the run that `start.from` names. Sets of it that are not written here come over by themselves; writing one gives it another material or group, or a `motion`.':
    'As partículas do conjunto de mesmo nome na simulação que `start.from` indica. Os conjuntos dela que não são escritos aqui vêm por si mesmos; escrever um lhe dá outro material ou grupo, ou um `motion`.',
  'The particles move by `motion` only: they act on others, but nothing moves them.':
    'As partículas se movem só por `motion`: agem sobre as outras, mas nada as move.',
  'Short for `prescribed` without motion: the particles never move.': 'Abreviação de `prescribed` sem movimento: as partículas nunca se movem.',
  'How it moves; without this key it stands still. Of several parts in an array each carries what those before it have moved.':
    'Como se move; sem esta chave fica parado. De várias partes em uma lista, cada uma leva consigo o que as anteriores moveram.',
  'Constant velocity.': 'Velocidade constante.',
  'Velocity. [m/s]': 'Velocidade. [m/s]',
  'Harmonic: displacement = amplitude (sin(omega (t - start) + phase) - sin(phase)), zero at its start.':
    'Harmônico: deslocamento = amplitude (sin(omega (t - start) + phase) - sin(phase)), zero em seu início.',
  'Direction and size of the largest displacement. [m]': 'Direção e valor do maior deslocamento. [m]',
  'Frequency in cycles per second, in place of `omega`. [Hz]': 'Frequência em ciclos por segundo, em lugar de `omega`. [Hz]',
  'Angular frequency. [rad/s]': 'Frequência angular. [rad/s]',
  'Phase at the start. [rad]': 'Fase no início. [rad]',
  'Rotation about a fixed axis.': 'Rotação em torno de um eixo fixo.',
  'Direction of the axis; the right hand rule applies.': 'Direção do eixo; vale a regra da mão direita.',
  'A point on the axis. [m]': 'Um ponto no eixo. [m]',
  'Angular velocity. [rad/s]': 'Velocidade angular. [rad/s]',
  'A motion by a table of places over time; between the lines it is a cubic whose velocity does not jump.':
    'Um movimento por uma tabela de posições no tempo; entre as linhas é uma cúbica cuja velocidade não salta.',
  'Lines `[t, [x, y, z], [ax, ay, az]]`: time since the start of the motion, displacement in m, and rotation vector in rad (may be left out). The first line is at t = 0.':
    'Linhas `[t, [x, y, z], [ax, ay, az]]`: tempo desde o início do movimento, deslocamento em m e vetor de rotação em rad (pode ser omitido). A primeira linha é em t = 0.',
  'The same as comma separated values in a file, relative to the case file. Its header names the columns: `t`, and of `x`, `y`, `z`, `ax`, `ay`, `az` those that are used.':
    'O mesmo como valores separados por vírgulas em um arquivo, relativo ao arquivo do caso. Seu cabeçalho dá nome às colunas: `t` e, de `x`, `y`, `z`, `ax`, `ay`, `az`, as que são usadas.',
  'The point about which it turns. [m]': 'O ponto em torno do qual gira. [m]',
  'A motion by formulas of time. Its velocity is their derivative.': 'Um movimento por fórmulas do tempo. Sua velocidade é a derivada delas.',
  'Displacements along x, y and z in m as three formulas of the time `t` since the start of the motion, as in `["0", "0", "0.01*sin(40*t)"]`; their values at t = 0 are taken off.':
    'Deslocamentos ao longo de x, y e z em m como três fórmulas do tempo `t` desde o início do movimento, como em `["0", "0", "0.01*sin(40*t)"]`; seus valores em t = 0 são descontados.',
  'Turn about the axis in rad, a formula of the time `t` since the start of the motion; its value at t = 0 is taken off.':
    'Giro em torno do eixo em rad, uma fórmula do tempo `t` desde o início do movimento; seu valor em t = 0 é descontado.',
  'The angular velocity stays as it begins.': 'A velocidade angular fica como começa.',
  'A wall.': 'Uma parede.',
  'Name of the material. Without it the wall is rigid and goes by its own name in contact tables.':
    'Nome do material. Sem ele a parede é rígida e aparece com seu próprio nome nas tabelas de contato.',
  'An infinite plane.': 'Um plano infinito.',
  'Normal, to the side of the particles; its length does not matter.': 'Normal, para o lado das partículas; seu comprimento não importa.',
  'The faces of a box, solid from inside and outside.': 'As faces de uma caixa, sólidas por dentro e por fora.',
  'Lowest corner. [m]': 'Canto de menores coordenadas. [m]',
  'Highest corner. [m]': 'Canto de maiores coordenadas. [m]',
  'Faces that are left out.': 'Faces que são omitidas.',
  'The lateral surface of a cylinder between two points, solid from inside (drum, silo) and outside (roller).':
    'A superfície lateral de um cilindro entre dois pontos, sólida por dentro (tambor, silo) e por fora (rolo).',
  'Ends that are closed by a disc.': 'Pontas que são fechadas por um disco.',
  'The lateral surface of a truncated cone, solid from inside and outside.':
    'A superfície lateral de um tronco de cone, sólida por dentro e por fora.',
  'Radius at `from`; 0 makes it a tip. [m]': 'Raio em `from`; 0 faz dele um vértice. [m]',
  'Radius at `to`; 0 makes it a tip. [m]': 'Raio em `to`; 0 faz dele um vértice. [m]',
  'A sphere, solid from inside and outside.': 'Uma esfera, sólida por dentro e por fora.',
  'A flat disk, solid from both sides.': 'Um disco plano, sólido dos dois lados.',
  'Normal to the disk; its length does not matter.': 'Normal ao disco; seu comprimento não importa.',
  'Radius of an opening in its middle. [m]': 'Raio de uma abertura em seu meio. [m]',
  'A flat rectangle, solid from both sides.': 'Um retângulo plano, sólido dos dois lados.',
  'One corner. [m]': 'Um canto. [m]',
  'From the corner along one edge to the next corner. [m]': 'Do canto, ao longo de uma aresta, até o canto seguinte. [m]',
  'The same along the other edge, at a right angle. [m]': 'O mesmo ao longo da outra aresta, em ângulo reto. [m]',
  'A mesh of triangles, solid from both sides.': 'Uma malha de triângulos, sólida dos dois lados.',
  'An STL, OBJ or PLY file, relative to the case file.': 'Um arquivo STL, OBJ ou PLY, relativo ao arquivo do caso.',
  'The mesh itself as a multi-line text in the format of OBJ: lines `v x y z` and `f a b c`.':
    'A própria malha como texto de várias linhas no formato OBJ: linhas `v x y z` e `f a b c`.',
  'Metres per unit of the file: 0.001 for millimetres.': 'Metros por unidade do arquivo: 0.001 para milímetros.',
  'Added to all places after scaling. [m]': 'Somado a todas as posições depois da escala. [m]',
  'Facets that meet at less than this belong to one smooth surface. [rad]':
    'Facetas que se encontram com ângulo menor que este pertencem a uma mesma superfície lisa. [rad]',
  'Join equal vertices, drop triangles without area and double ones, turn facets alike.':
    'Unir vértices iguais, descartar triângulos sem área e os repetidos, orientar todas as facetas do mesmo modo.',
  'Name of the file that `obj` was made from.': 'Nome do arquivo de que `obj` foi feito.',
  'The surface moves in itself, as that of a belt, a roller or a turntable, while the wall stays in its place. At a contact its velocity is the part of factor (velocity + rate axis x (x - point)) along the surface; vectors go along with the motion of the wall.':
    'A superfície se move em si mesma, como a de uma esteira, de um rolo ou de uma mesa giratória, enquanto a parede fica em seu lugar. Em um contato sua velocidade é a parte de factor (velocity + rate axis x (x - point)) ao longo da superfície; os vetores acompanham o movimento da parede.',
  'Of a belt. [m/s]': 'De uma esteira. [m/s]',
  'Of a roller or a turntable, about the axis. [rad/s]': 'De um rolo ou de uma mesa giratória, em torno do eixo. [rad/s]',
  'Times all this: a number, or its course in time.': 'Multiplica tudo isso: um número, ou seu curso no tempo.',
  'Where a ramp begins.': 'Onde uma rampa começa.',
  'Where a ramp ends.': 'Onde uma rampa termina.',
  'Time in which it goes from `from` to `to`, where it stays. [s]': 'Tempo em que vai de `from` a `to`, onde fica. [s]',
  'Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays.':
    'Linhas `[t, value]`, com tempos crescentes; linear entre elas, e constante antes e depois delas.',
  'A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, `exp`, `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 at 1).':
    'Uma fórmula do tempo `t` em s, em unidades SI: números, `t`, `pi`, `+ - * / ^`, parênteses, `sin`, `cos`, `exp`, `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 abaixo de 0, senão 1), `smooth` (de 0 em 0 a 1 em 1).',
  'The surface moves only in this time.': 'A superfície se move só neste tempo.',
  'Moves the wall along an axis until the particles push it with a given force.':
    'Move a parede ao longo de um eixo até que as partículas a empurrem com uma força dada.',
  'Direction in which the particles push; the wall presses the other way. Its length does not matter.':
    'Direção em que as partículas empurram; a parede pressiona no sentido contrário. Seu comprimento não importa.',
  'Force to reach, or its course in time. [N]': 'Força a atingir, ou seu curso no tempo. [N]',
  'Where a ramp begins. [N]': 'Onde uma rampa começa. [N]',
  'Where a ramp ends. [N]': 'Onde uma rampa termina. [N]',
  'Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [N]':
    'Linhas `[t, value]`, com tempos crescentes; linear entre elas, e constante antes e depois delas. [N]',
  'Pressure to reach on `area`, or its course in time. [Pa]': 'Pressão a atingir em `area`, ou seu curso no tempo. [Pa]',
  'Where a ramp begins. [Pa]': 'Onde uma rampa começa. [Pa]',
  'Where a ramp ends. [Pa]': 'Onde uma rampa termina. [Pa]',
  'Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [Pa]':
    'Linhas `[t, value]`, com tempos crescentes; linear entre elas, e constante antes e depois delas. [Pa]',
  'Area that the pressure acts on. [m^2]': 'Área sobre a qual a pressão age. [m^2]',
  'Largest speed of the wall. [m/s]': 'Maior velocidade da parede. [m/s]',
  'Speed per missing force (m/s per N); auto: from the stiffness of the contacts and the step. [s/kg]':
    'Velocidade por força que falta (m/s por N); auto: pela rigidez dos contatos e pelo passo. [s/kg]',
  'Least displacement along the axis. [m]': 'Menor deslocamento ao longo do eixo. [m]',
  'Largest displacement along the axis. [m]': 'Maior deslocamento ao longo do eixo. [m]',
  'It acts only in this time; else the wall keeps its place.': 'Age só neste tempo; fora dele a parede fica em seu lugar.',
  'The wall is there only in this time; without this key always.': 'A parede existe só neste tempo; sem esta chave, sempre.',
  'Loads a sample between pairs of walls, by stresses or strain rates along x, y and z. Of two loadings that run at once and drive the same walls the later one in the file does.':
    'Carrega uma amostra entre pares de paredes, por tensões ou taxas de deformação ao longo de x, y e z. De dois carregamentos que agem ao mesmo tempo sobre as mesmas paredes, vale o que vem depois no arquivo.',
  'How the sample is loaded along an axis; without `stress` and `strain_rate` its walls keep their distance.':
    'Como a amostra é carregada ao longo de um eixo; sem `stress` e `strain_rate` suas paredes mantêm a distância.',
  'The two walls across this axis, the lower one first: planes or rectangles. Without them nothing moves here, and the length is the period of the domain.':
    'As duas paredes perpendiculares a este eixo, a inferior primeiro: planos ou retângulos. Sem elas nada se move aqui, e o comprimento é o período do domínio.',
  'Compressive stress to hold, or its course in time. [Pa]': 'Tensão de compressão a manter, ou seu curso no tempo. [Pa]',
  'Rate at which the present length shrinks, or its course in time; negative: it grows. [1/s]':
    'Taxa com que o comprimento atual diminui, ou seu curso no tempo; negativa: ele cresce. [1/s]',
  'Where a ramp begins. [1/s]': 'Onde uma rampa começa. [1/s]',
  'Where a ramp ends. [1/s]': 'Onde uma rampa termina. [1/s]',
  'Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [1/s]':
    'Linhas `[t, value]`, com tempos crescentes; linear entre elas, e constante antes e depois delas. [1/s]',
  'Largest speed of a wall that follows a stress; needed by those. [m/s]':
    'Maior velocidade de uma parede que segue uma tensão; necessária para essas. [m/s]',
  'It acts only in this time; else the walls keep their places.': 'Age só neste tempo; fora dele as paredes ficam em seus lugares.',
};
