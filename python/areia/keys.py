"""The keys of cases as types, for editors and type checkers: `keys: areia.keys.Case = {...}`.

Made by python/make_keys.py from the schema, which also knows ranges, units and which keys go together: what is well
typed may still be refused. Docstrings tell the meaning of the keys.
"""
from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Number = Union[float, str]  # in SI units, or a text with a unit, "5 mm"
Vector = Sequence[Number]


_Start = TypedDict("_Start", {
    "from": "str",
})


class Start(_Start, total=False):
    """
    from: Results folder of the run, relative to the case file; or one of its checkpoints (.h5) or frames (.vtp).
    time: Of a folder: the frame nearest to this time, which has no contacts; last: the last checkpoint, exact and with
        all of them. [s]
    walls: Walls of the same name and shape begin where the run has left them; or all begin where they are written.
    """
    time: Union[Number, Literal["last"]]
    walls: Literal["as_left", "as_written"]


class Materials(TypedDict, total=False):
    """
    library: A material of the library, as `"glass"`: its density, Young's modulus and Poisson's ratio, where they are
        not given here. `areia materials` lists them with their sources.
    density: Density; needed by particles without a mass of their own. [kg/m^3]
    young: Modulus of elasticity E; needed by the normal laws `hertz` and `jkr`, the tangential law `coulomb_history`
        and the twisting law `spring`. [Pa]
    poisson: Poisson's ratio.
    stiffness: Contact stiffness of a particle; needed by the normal law `linear` unless the pair has its own. [N/m]
    rigid: Does not deform; for walls only.
    """
    library: str
    density: Number
    young: Number
    poisson: Number
    stiffness: Number
    rigid: bool


class ContactsNormal(TypedDict, total=False):
    """
    law: Name of the law.
    xi: hertz: damping ratio; give this or `restitution`, not both; penalty: damping ratio of the form of Hertz's law,
        in place of `c`; jkr: damping ratio, on the stiffness 2 E* a
    restitution: hertz: coefficient of restitution of a binary impact; sets xi; linear: coefficient of restitution of a
        binary impact; sets beta
    xi_from_e: hertz: how xi follows from `restitution`
    clamp: hertz: no tension: the normal force never pulls; linear: no tension: in contact the normal force never pulls;
        penalty: no tension: the normal force never pulls
    wall: hertz: effective moduli at a rigid wall: the limit of the pair formula, or 000 (2.93)
    stiffness: linear: spring of the pair; default: the materials' stiffnesses in series
    beta: linear: damping ratio; give this or `restitution`, not both
    attraction: linear: pseudo-contact: stiffness k_a of the attraction across a gap
    range: linear: pseudo-contact: largest gap with attraction
    pseudo_damping: linear: whether the dashpot acts in the gap, too
    K: penalty: pressure K_p at strain 1
    P: penalty: exponent P_p of the strain
    c: penalty: damping c_d per area
    area: penalty: area of contact: pi r* delta, or that of the lens
    work: jkr: work of adhesion w per area
    """
    law: Literal["none", "hertz", "linear", "penalty", "jkr"]
    xi: Number
    restitution: Number
    xi_from_e: Literal["exact_clamp", "exact_noclamp", "source"]
    clamp: Literal["on", "off"]
    wall: Literal["rigid", "source93"]
    stiffness: Number
    beta: Number
    attraction: Number
    range: Number
    pseudo_damping: Literal["off", "on"]
    K: Number
    P: Number
    c: Number
    area: Literal["hertz", "lens"]
    work: Number


class ContactsTangential(TypedDict, total=False):
    """
    law: Name of the law.
    mu: coulomb_history: coefficient of friction, static and dynamic; coulomb_time: coefficient of friction; rate:
        coefficient of friction, static and dynamic
    mu_static: coulomb_history: static coefficient, in place of `mu`; rate: static coefficient, in place of `mu`
    mu_dynamic: coulomb_history: dynamic coefficient, at most the static one; default: the static one; rate: dynamic
        coefficient, at most the static one; default: the static one
    xi: coulomb_history: damping ratio of the tangential spring
    shear_modulus: coulomb_history: effective shear modulus: Mindlin's, or 000 (2.86)
    projection: coulomb_history: the spring on a turning contact plane: projected, or turned with |s| kept
    stiffness_factor: coulomb_history: variant: stiffness of the spring over Mindlin's 8 G* a
    dashpot: coulomb_history: variant: coefficient from `xi`, equal to that of the normal law, or from its damping ratio
    dashpot_factor: coulomb_history: times the coefficient that comes from the normal law
    history: coulomb_history: variant: what a contact keeps while its stiffness changes
    rescale: coulomb_history: variant: what it keeps falls in proportion to the radius of contact
    cap: coulomb_history: variant: the limit holds spring and dashpot, leaving the spring or what remains beside the
        dashpot; or the spring alone
    limit: coulomb_history: variant: Coulomb's limit by the clamped normal force, or by its magnitude
    stiffness: coulomb_time: tangential spring k_s of the pair
    beta: coulomb_time: damping ratio of the tangential spring
    elongation: coulomb_time: how the spring is stretched: integral of the sliding, or 004 (2.7)
    K_f: rate: tangential stress per length of sliding in a step
    area: rate: area of contact: pi r* delta, or that of the lens
    rate_cap: rate: sticking does not reverse the sliding within a step
    """
    law: Literal["none", "coulomb_history", "coulomb_time", "rate"]
    mu: Number
    mu_static: Number
    mu_dynamic: Number
    xi: Number
    shear_modulus: Literal["mindlin", "source"]
    projection: Literal["project", "rotate"]
    stiffness_factor: Number
    dashpot: Literal["own", "normal", "normal_ratio"]
    dashpot_factor: Number
    history: Literal["elongation", "force"]
    rescale: Literal["off", "on"]
    cap: Literal["sum", "remainder", "spring"]
    limit: Literal["pressing", "magnitude"]
    stiffness: Number
    beta: Number
    elongation: Literal["integral", "velocity_times_age"]
    K_f: Number
    area: Literal["hertz", "lens"]
    rate_cap: Literal["on", "off"]


class ContactsRolling(TypedDict, total=False):
    """
    law: Name of the law.
    mu: constant: coefficient of rolling resistance mu_R; viscous: coefficient mu_R of the limit; epsd: coefficient of
        rolling resistance mu_R
    axis: constant: against the rolling part of w_i - w_j, or against all of it (000)
    c: viscous: torque per rate of rolling c_R
    limit: viscous: whether the torque is limited by mu_R r* N
    stiffness: epsd: rolling spring k_R; 0: 2.25 k (mu_R r*)^2 of the normal spring k
    eta: epsd: damping ratio of the rolling spring
    """
    law: Literal["none", "constant", "viscous", "epsd"]
    mu: Number
    axis: Literal["rolling", "full"]
    c: Number
    limit: Literal["none", "coulomb"]
    stiffness: Number
    eta: Number


class ContactsTwisting(TypedDict, total=False):
    """
    law: Name of the law.
    mu: constant: coefficient of twisting resistance mu_T; the limit is mu_T r* N; spring: coefficient of friction; the
        limit is (2/3) mu a N, a the radius of contact
    xi: spring: damping ratio of the twisting spring
    shear_modulus: spring: effective shear modulus: Mindlin's, or 000 (2.86)
    """
    law: Literal["none", "constant", "spring"]
    mu: Number
    xi: Number
    shear_modulus: Literal["mindlin", "source"]


class ContactsAdhesion(TypedDict, total=False):
    """
    law: Name of the law.
    k: strain: force k_ad at strain 1
    beta: strain: exponent of the strain; with `hertz` an equilibrium needs beta < 3/2
    eps_c: strain: strain from which it acts
    latch: strain: once begun it acts until the bodies separate; bond_area: once begun it acts until the bodies separate
    friction: strain: normal force in the limit of friction: of the contact alone, or with the adhesion; bond_area:
        normal force in the limit of friction: of the contact alone, or with the adhesion; dmt: normal force in the
        limit of friction: of the contact alone, or with the adhesion; capillary: normal force in the limit of friction:
        of the contact alone, or with the adhesion
    K_nb: bond_area: attraction per area at strain 1
    K_rb: bond_area: tangential stress per length of sliding in a step
    P_p: bond_area: exponent of the strain
    eps_star: bond_area: strain from which it acts
    rate_cap: bond_area: the tangential part does not reverse the sliding within a step
    work: dmt: work of adhesion w per area
    tension: capillary: surface tension gamma of the liquid
    volume: capillary: volume V of each bridge
    angle: capillary: contact angle theta
    """
    law: Literal["none", "strain", "bond_area", "dmt", "capillary"]
    k: Number
    beta: Number
    eps_c: Number
    latch: Literal["off", "on"]
    friction: Literal["contact", "with_adhesion"]
    K_nb: Number
    K_rb: Number
    P_p: Number
    eps_star: Number
    rate_cap: Literal["on", "off"]
    work: Number
    tension: Number
    volume: Number
    angle: Number


class ContactsImpact(TypedDict, total=False):
    """
    law: Name of the law.
    restitution: walton: e: normal velocity after over before
    tangential_restitution: walton: e_t of a contact that does not slide through: -1 smooth, 0 the slip ends, 1
        perfectly rough
    mu: walton: coefficient of friction: the tangential impulse is at most mu times the normal one
    """
    law: Literal["none", "walton"]
    restitution: Number
    tangential_restitution: Number
    mu: Number


class Contacts(TypedDict, total=False):
    """
    like: Another contact table, as `"grain-grain"`: its laws and parameters hold where this table says nothing.
    library: A pair of the material library, as `"glass-glass"`: its restitution in the law `hertz`, its friction in
        `coulomb_history`, where this table says nothing. `areia materials` lists them.
    normal:
    tangential:
    rolling:
    twisting:
    adhesion:
    impact:
    """
    like: str
    library: str
    normal: Union[ContactsNormal, Literal["none", "hertz", "linear", "penalty", "jkr"]]
    tangential: Union[ContactsTangential, Literal["none", "coulomb_history", "coulomb_time", "rate"]]
    rolling: Union[ContactsRolling, Literal["none", "constant", "viscous", "epsd"]]
    twisting: Union[ContactsTwisting, Literal["none", "constant", "spring"]]
    adhesion: Union[ContactsAdhesion, Literal["none", "strain", "bond_area", "dmt", "capillary"]]
    impact: Union[ContactsImpact, Literal["none", "walton"]]


class ParticlesRadiusUniform(TypedDict):
    """
    min: Smallest radius. [m]
    max: Largest radius. [m]
    """
    min: Number
    max: Number


class _ParticlesRadiusGaussian(TypedDict):
    mean: Number
    std: Number


class ParticlesRadiusGaussian(_ParticlesRadiusGaussian, total=False):
    """
    mean: Mean radius. [m]
    std: Standard deviation before the cut. [m]
    truncate: Radii farther than this many standard deviations from the mean are drawn again.
    """
    truncate: Number


class ParticlesRadiusGrading(TypedDict):
    """
    radius: Half the opening of the sieve. [m]
    passing: Mass fraction of the particles that are smaller; 0 in the first line, 1 in the last.
    """
    radius: Number
    passing: Number


class ParticlesRadiusTable(TypedDict):
    """
    radius: Radius. [m]
    number: Relative number of particles.
    """
    radius: Number
    number: Number


class ParticlesRadius(TypedDict, total=False):
    """
    uniform: Uniform between two radii.
    gaussian: Normal distribution, cut off on both sides.
    grading: A grading curve: sieves with the mass fraction that passes, smallest first. Between two lines the fraction
        is linear in the logarithm of the size.
    table: Radii and how often each occurs.
    """
    uniform: ParticlesRadiusUniform
    gaussian: ParticlesRadiusGaussian
    grading: Sequence[ParticlesRadiusGrading]
    table: Sequence[ParticlesRadiusTable]


class _ParticlesList(TypedDict):
    x: Vector


class ParticlesList(_ParticlesList, total=False):
    """
    x: Centre. [m]
    v: Velocity, added to that of the set. [m/s]
    w: Angular velocity, added to that of the set. [rad/s]
    radius: Radius; else that of the set. [m]
    mass: Mass; else from the density. [kg]
    charge: Electric charge; else that of the set. [C]
    """
    v: Vector
    w: Vector
    radius: Number
    mass: Number
    charge: Number


class ParticlesLatticeRegionSphere(TypedDict):
    """
    center: Centre. [m]
    radius: Radius. [m]
    """
    center: Vector
    radius: Number


ParticlesLatticeRegionCylinder = TypedDict("ParticlesLatticeRegionCylinder", {
    "from": "Vector",
    "to": "Vector",
    "radius": "Number",
})
"""
from: One end of the axis. [m]
to: Other end of the axis. [m]
radius: Radius. [m]
"""


class ParticlesLatticeRegionHalfSpace(TypedDict):
    """
    point: A point of the plane. [m]
    normal: Towards the side that is meant.
    """
    point: Vector
    normal: Vector


ParticlesLatticeRegionSlab = TypedDict("ParticlesLatticeRegionSlab", {
    "from": "Vector",
    "to": "Vector",
})
"""
from: A point of one plane. [m]
to: A point of the other. [m]
"""


class _ParticlesLatticeRegionMesh(TypedDict):
    file: str


class ParticlesLatticeRegionMesh(_ParticlesLatticeRegionMesh, total=False):
    """
    file: File of the surface, relative to the case file.
    scale: Metres per unit of the file.
    """
    scale: Number


class ParticlesLatticeRegion(TypedDict, total=False):
    """
    box: A box by two opposite corners, [[x, y, z], [x, y, z]], smallest first. [m]
    sphere: A ball.
    cylinder: A solid cylinder.
    half_space: What lies on one side of a plane.
    slab: What lies between two parallel planes, through the two points and normal to their connection.
    mesh: The inside of a closed surface.
    outside: All space but this part is meant.
    """
    box: Sequence[Vector]
    sphere: ParticlesLatticeRegionSphere
    cylinder: ParticlesLatticeRegionCylinder
    half_space: ParticlesLatticeRegionHalfSpace
    slab: ParticlesLatticeRegionSlab
    mesh: ParticlesLatticeRegionMesh
    outside: bool


class _ParticlesLattice(TypedDict):
    region: ParticlesLatticeRegion


class ParticlesLattice(_ParticlesLattice, total=False):
    """
    region: Where.
    kind: Simple cubic, or hexagonal layers.
    spacing: Distance of nearest centres; auto: twice the largest radius. [m]
    jitter: Largest random shift along each axis. [m]
    count: Number of particles; all: as many as fit.
    """
    kind: Literal["cubic", "hexagonal"]
    spacing: Union[Number, Literal["auto"]]
    jitter: Number
    count: Union[int, Literal["all"]]


class _ParticlesFill(TypedDict):
    region: ParticlesLatticeRegion


class ParticlesFill(_ParticlesFill, total=False):
    """
    method: `rsa`: random sequential addition alone, good up to a solid fraction of about 0.38 for equal spheres.
        `layers`: layer by layer, each left to settle under gravity between the walls. `grow`: placed with reduced radii
        that grow while the packing gives way.
    region: Where; particles lie inside entirely.
    count: Number of particles. `layers` may do without: the region is then filled to its top.
    solid_fraction: Volume of particles over region.
    min_gap: Smallest gap between surfaces, when placed. [m]
    max_attempts: Rejections in a row after which filling gives up.
    layer: layers: height of the space in which the next layer is placed; auto: three largest diameters. [m]
    relax: rsa, grow: afterwards settle under gravity with the laws of the case until at rest.
    settle_energy: layers, relax: kinetic energy per particle that counts as rest; auto: 1e-4 of what the mean particle
        gains by falling through its diameter. [J]
    settle_time: layers, relax: longest time of one settling; auto: six times the fall through the height. [s]
    friction: layers, relax: coefficient of friction of all contacts while they settle, in place of those of the case;
        less of it packs more densely.
    """
    method: Literal["rsa", "layers", "grow"]
    count: int
    solid_fraction: Number
    min_gap: Number
    max_attempts: int
    layer: Union[Number, Literal["auto"]]
    relax: bool
    settle_energy: Union[Number, Literal["auto"]]
    settle_time: Union[Number, Literal["auto"]]
    friction: Union[Number, Literal["case"]]


class _ParticlesStream(TypedDict):
    region: ParticlesLatticeRegion


class ParticlesStream(_ParticlesStream, total=False):
    """
    region: Where they appear; they lie inside entirely.
    rate: Particles per second. [1/s]
    mass_rate: Mass per second. [kg/s]
    count: Number of particles in all.
    every: Time between insertions; auto: what the particles need to leave their own diameter. [s]
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    rate: Number
    mass_rate: Number
    count: Union[int, Literal["endless"]]
    every: Union[Number, Literal["auto"]]
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class ParticlesMotionConstant(TypedDict):
    """
    velocity: Velocity. [m/s]
    """
    velocity: Vector


class _ParticlesMotionOscillating(TypedDict):
    amplitude: Vector


class ParticlesMotionOscillating(_ParticlesMotionOscillating, total=False):
    """
    amplitude: Direction and size of the largest displacement. [m]
    frequency: Frequency in cycles per second, in place of `omega`. [Hz]
    omega: Angular frequency. [rad/s]
    phase: Phase at the start. [rad]
    """
    frequency: Number
    omega: Number
    phase: Number


class _ParticlesMotionRotating(TypedDict):
    axis: Vector
    rate: Number


class ParticlesMotionRotating(_ParticlesMotionRotating, total=False):
    """
    axis: Direction of the axis; the right hand rule applies.
    point: A point on the axis. [m]
    rate: Angular velocity. [rad/s]
    """
    point: Vector


class ParticlesMotionTable(TypedDict, total=False):
    """
    rows: Lines `[t, [x, y, z], [ax, ay, az]]`: time since the start of the motion, displacement in m, and rotation
        vector in rad (may be left out). The first line is at t = 0.
    file: The same as comma separated values in a file, relative to the case file. Its header names the columns: `t`,
        and of `x`, `y`, `z`, `ax`, `ay`, `az` those that are used.
    point: The point about which it turns. [m]
    """
    rows: Sequence[Sequence[Union[Number, Vector]]]
    file: str
    point: Vector


class ParticlesMotionFormula(TypedDict, total=False):
    """
    shift: Displacements along x, y and z in m as three formulas of the time `t` since the start of the motion, as in
        `["0", "0", "0.01*sin(40*t)"]`; their values at t = 0 are taken off.
    angle: Turn about the axis in rad, a formula of the time `t` since the start of the motion; its value at t = 0 is
        taken off.
    axis: Direction of the axis; the right hand rule applies.
    point: A point on the axis. [m]
    """
    shift: Sequence[str]
    angle: str
    axis: Vector
    point: Vector


class ParticlesMotion(TypedDict, total=False):
    """
    constant: Constant velocity.
    oscillating: Harmonic: displacement = amplitude (sin(omega (t - start) + phase) - sin(phase)), zero at its start.
    rotating: Rotation about a fixed axis.
    table: A motion by a table of places over time; between the lines it is a cubic whose velocity does not jump.
    formula: A motion by formulas of time. Its velocity is their derivative.
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    constant: ParticlesMotionConstant
    oscillating: ParticlesMotionOscillating
    rotating: ParticlesMotionRotating
    table: ParticlesMotionTable
    formula: ParticlesMotionFormula
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class _Particles(TypedDict):
    material: str


class Particles(_Particles, total=False):
    """
    material: Name of the material.
    group: Group that stages and outputs speak of; default: the name of the set.
    radius: One radius for all, or a distribution to draw from. Needed unless every particle brings its own. [m]
    mass: Mass of each; else from the density. [kg]
    charge: Electric charge of each. [C]
    velocity: Initial velocity. [m/s]
    velocity_std: Standard deviation of each component of a random velocity (normal, cut at 5) that is added; the
        momentum of the set stays. [m/s]
    spin: Initial angular velocity. [rad/s]
    list: Particles one by one.
    file: A file of particles, relative to the case file, in SI units: comma separated values, LAMMPS data (atom_style
        sphere), a LAMMPS or LIGGGHTS dump, or VTK (legacy ASCII, .vtp, .vtu). The header of comma separated values
        names the columns: `x`, `y`, `z`, and optionally `radius`, `mass`, `charge`, `vx`, `vy`, `vz`, `wx`, `wy`, `wz`.
        An empty radius, mass or charge is that of the set; `#` begins a comment.
    file_step: Time step to take from a dump given as `file`; else the last one.
    csv: Particles as lines of comma separated values in a multi-line text, with the columns of `file`.
    lattice: Particles on a regular lattice, filled upwards.
    fill: Random sequential addition: particles drawn one by one, kept where they touch nothing; by itself or as the
        beginning of a denser packing.
    stream: An inlet: particles that come while the simulation runs, placed by random addition where they touch nothing.
    carried: The particles of the set of this name in the run that `start.from` names. Sets of it that are not written
        here come over by themselves; writing one gives it another material or group, or a `motion`.
    prescribed: The particles move by `motion` only: they act on others, but nothing moves them.
    fixed: Short for `prescribed` without motion: the particles never move.
    motion: How it moves; without this key it stands still. Of several parts in an array each carries what those before
        it have moved.
    inhibit_rotation: The angular velocity stays as it begins.
    """
    group: str
    radius: Union[Number, ParticlesRadius]
    mass: Number
    charge: Number
    velocity: Vector
    velocity_std: Number
    spin: Vector
    list: Sequence[ParticlesList]
    file: str
    file_step: int
    csv: str
    lattice: ParticlesLattice
    fill: ParticlesFill
    stream: ParticlesStream
    carried: bool
    prescribed: bool
    fixed: bool
    motion: Union[ParticlesMotion, Sequence[ParticlesMotion]]
    inhibit_rotation: bool


class WallsPlane(TypedDict):
    """
    point: A point of the plane. [m]
    normal: Normal, to the side of the particles; its length does not matter.
    """
    point: Vector
    normal: Vector


class _WallsBox(TypedDict):
    min: Vector
    max: Vector


class WallsBox(_WallsBox, total=False):
    """
    min: Lowest corner. [m]
    max: Highest corner. [m]
    open: Faces that are left out.
    """
    open: Sequence[Literal["-x", "+x", "-y", "+y", "-z", "+z"]]


_WallsCylinder = TypedDict("_WallsCylinder", {
    "from": "Vector",
    "to": "Vector",
    "radius": "Number",
})


class WallsCylinder(_WallsCylinder, total=False):
    """
    from: One end of the axis. [m]
    to: Other end of the axis. [m]
    radius: Radius. [m]
    caps: Ends that are closed by a disc.
    """
    caps: Sequence[Literal["from", "to"]]


WallsCone = TypedDict("WallsCone", {
    "from": "Vector",
    "to": "Vector",
    "radius_from": "Number",
    "radius_to": "Number",
})
"""
from: One end of the axis. [m]
to: Other end of the axis. [m]
radius_from: Radius at `from`; 0 makes it a tip. [m]
radius_to: Radius at `to`; 0 makes it a tip. [m]
"""


class _WallsDisk(TypedDict):
    center: Vector
    normal: Vector
    radius: Number


class WallsDisk(_WallsDisk, total=False):
    """
    center: Centre. [m]
    normal: Normal to the disk; its length does not matter.
    radius: Radius. [m]
    hole: Radius of an opening in its middle. [m]
    """
    hole: Number


class WallsRectangle(TypedDict):
    """
    corner: One corner. [m]
    edge_a: From the corner along one edge to the next corner. [m]
    edge_b: The same along the other edge, at a right angle. [m]
    """
    corner: Vector
    edge_a: Vector
    edge_b: Vector


class WallsMesh(TypedDict, total=False):
    """
    file: An STL, OBJ or PLY file, relative to the case file.
    obj: The mesh itself as a multi-line text in the format of OBJ: lines `v x y z` and `f a b c`.
    scale: Metres per unit of the file: 0.001 for millimetres.
    shift: Added to all places after scaling. [m]
    patch_angle: Facets that meet at less than this belong to one smooth surface. [rad]
    repair: Join equal vertices, drop triangles without area and double ones, turn facets alike.
    origin: Name of the file that `obj` was made from.
    """
    file: str
    obj: str
    scale: Number
    shift: Vector
    patch_angle: Number
    repair: bool
    origin: str


WallsSurfaceFactor = TypedDict("WallsSurfaceFactor", {
    "from": "Number",
    "to": "Number",
    "over": "Number",
    "table": "Sequence[Vector]",
    "formula": "str",
}, total=False)
"""
from: Where a ramp begins.
to: Where a ramp ends.
over: Time in which it goes from `from` to `to`, where it stays. [s]
table: Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays.
formula: A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, `exp`,
    `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 at 1).
"""


class WallsSurfaceWhen(TypedDict, total=False):
    """
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class WallsSurface(TypedDict, total=False):
    """
    velocity: Of a belt. [m/s]
    rate: Of a roller or a turntable, about the axis. [rad/s]
    axis: Direction of the axis; the right hand rule applies.
    point: A point on the axis. [m]
    factor: Times all this: a number, or its course in time.
    when: The surface moves only in this time.
    """
    velocity: Vector
    rate: Number
    axis: Vector
    point: Vector
    factor: Union[Number, WallsSurfaceFactor]
    when: WallsSurfaceWhen


WallsServoForce = TypedDict("WallsServoForce", {
    "from": "Number",
    "to": "Number",
    "over": "Number",
    "table": "Sequence[Vector]",
    "formula": "str",
}, total=False)
"""
from: Where a ramp begins. [N]
to: Where a ramp ends. [N]
over: Time in which it goes from `from` to `to`, where it stays. [s]
table: Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [N]
formula: A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, `exp`,
    `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 at 1).
"""


WallsServoPressure = TypedDict("WallsServoPressure", {
    "from": "Number",
    "to": "Number",
    "over": "Number",
    "table": "Sequence[Vector]",
    "formula": "str",
}, total=False)
"""
from: Where a ramp begins. [Pa]
to: Where a ramp ends. [Pa]
over: Time in which it goes from `from` to `to`, where it stays. [s]
table: Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [Pa]
formula: A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, `exp`,
    `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 at 1).
"""


class _WallsServo(TypedDict):
    axis: Vector
    max_speed: Number


class WallsServo(_WallsServo, total=False):
    """
    axis: Direction in which the particles push; the wall presses the other way. Its length does not matter.
    force: Force to reach, or its course in time. [N]
    pressure: Pressure to reach on `area`, or its course in time. [Pa]
    area: Area that the pressure acts on. [m^2]
    max_speed: Largest speed of the wall. [m/s]
    gain: Speed per missing force (m/s per N); auto: from the stiffness of the contacts and the step. [s/kg]
    min_shift: Least displacement along the axis. [m]
    max_shift: Largest displacement along the axis. [m]
    when: It acts only in this time; else the wall keeps its place.
    """
    force: Union[Number, WallsServoForce]
    pressure: Union[Number, WallsServoPressure]
    area: Number
    gain: Union[Number, Literal["auto"]]
    min_shift: Union[Number, Literal["none"]]
    max_shift: Union[Number, Literal["none"]]
    when: WallsSurfaceWhen


class Walls(TypedDict, total=False):
    """
    material: Name of the material. Without it the wall is rigid and goes by its own name in contact tables.
    plane: An infinite plane.
    box: The faces of a box, solid from inside and outside.
    cylinder: The lateral surface of a cylinder between two points, solid from inside (drum, silo) and outside (roller).
    cone: The lateral surface of a truncated cone, solid from inside and outside.
    sphere: A sphere, solid from inside and outside.
    disk: A flat disk, solid from both sides.
    rectangle: A flat rectangle, solid from both sides.
    mesh: A mesh of triangles, solid from both sides.
    motion: How it moves; without this key it stands still. Of several parts in an array each carries what those before
        it have moved.
    surface: The surface moves in itself, as that of a belt, a roller or a turntable, while the wall stays in its place.
        At a contact its velocity is the part of factor (velocity + rate axis x (x - point)) along the surface; vectors
        go along with the motion of the wall.
    servo: Moves the wall along an axis until the particles push it with a given force.
    when: The wall is there only in this time; without this key always.
    """
    material: str
    plane: WallsPlane
    box: WallsBox
    cylinder: WallsCylinder
    cone: WallsCone
    sphere: ParticlesLatticeRegionSphere
    disk: WallsDisk
    rectangle: WallsRectangle
    mesh: WallsMesh
    motion: Union[ParticlesMotion, Sequence[ParticlesMotion]]
    surface: WallsSurface
    servo: WallsServo
    when: WallsSurfaceWhen


LoadingXStrainRate = TypedDict("LoadingXStrainRate", {
    "from": "Number",
    "to": "Number",
    "over": "Number",
    "table": "Sequence[Vector]",
    "formula": "str",
}, total=False)
"""
from: Where a ramp begins. [1/s]
to: Where a ramp ends. [1/s]
over: Time in which it goes from `from` to `to`, where it stays. [s]
table: Lines `[t, value]`, the times ascending; linear between them, and before and after them it stays. [1/s]
formula: A formula of the time `t` in s, in SI units: numbers, `t`, `pi`, `+ - * / ^`, parentheses, `sin`, `cos`, `exp`,
    `ln`, `sqrt`, `abs`, `min`, `max`, `mod`, `step` (0 below 0, else 1), `smooth` (from 0 at 0 to 1 at 1).
"""


class LoadingX(TypedDict, total=False):
    """
    walls: The two walls across this axis, the lower one first: planes or rectangles. Without them nothing moves here,
        and the length is the period of the domain.
    stress: Compressive stress to hold, or its course in time. [Pa]
    strain_rate: Rate at which the present length shrinks, or its course in time; negative: it grows. [1/s]
    """
    walls: Sequence[str]
    stress: Union[Number, WallsServoPressure]
    strain_rate: Union[Number, LoadingXStrainRate]


class Loading(TypedDict, total=False):
    """
    x: How the sample is loaded along an axis; without `stress` and `strain_rate` its walls keep their distance.
    y: How the sample is loaded along an axis; without `stress` and `strain_rate` its walls keep their distance.
    z: How the sample is loaded along an axis; without `stress` and `strain_rate` its walls keep their distance.
    max_speed: Largest speed of a wall that follows a stress; needed by those. [m/s]
    gain: Speed per missing force (m/s per N); auto: from the stiffness of the contacts and the step. [s/kg]
    when: It acts only in this time; else the walls keep their places.
    """
    x: LoadingX
    y: LoadingX
    z: LoadingX
    max_speed: Number
    gain: Union[Number, Literal["auto"]]
    when: WallsSurfaceWhen


class FieldsTurning(TypedDict):
    """
    axis: Axis; the right hand rule applies.
    rate: Angular velocity, from the start of the field. [rad/s]
    """
    axis: Vector
    rate: Number


class Fields(TypedDict, total=False):
    """
    acceleration: Acceleration, such as gravity. [m/s^2]
    electric: Electric field E: force q E. [V/m]
    magnetic: Magnetic field B: force q v x B. [T]
    region: Where it acts, by the particle's centre; everywhere without this key.
    turning: The vector turns about an axis.
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    acceleration: Vector
    electric: Vector
    magnetic: Vector
    region: ParticlesLatticeRegion
    turning: FieldsTurning
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class Bonds(TypedDict, total=False):
    """
    between: Which bodies are joined: those with a gap of at most `max_gap`, those with centres within `max_distance`,
        or the listed `pairs`.
    group_a: Group of particles; without it all of them.
    group_b: The partners' group; without it the bonds are among `group_a`.
    wall: The partner is the nearest point of this wall, and moves with it.
    max_gap: touching: largest gap between the surfaces. [m]
    max_distance: near: largest distance of the centres, or of a centre from the wall. [m]
    pairs: Pairs of particle ids, such as [[0, 1], [1, 2]]; for `list`.
    anchors: Anchors per pair. One, on the line of centres, is a ball joint; several, on a ring in the contact plane,
        resist bending and twist.
    ring_radius: Radius of that ring; with a radius of the cement it is that over sqrt(2), so that the joint bends and
        twists as a cylinder. [m]
    radius: Radius of the cement between two bodies; its area is pi radius^2. [m]
    radius_factor: The same as a multiple of the smaller of the two radii; at a wall, of the particle's.
    stiffness: Spring k of one anchor. [N/m]
    young: Young's modulus of the cement, in place of `stiffness`: k = young area/(length anchors), with the distance of
        the centres, or of a centre from the wall, for the length. [Pa]
    shear_ratio: Spring across the line of centres over the spring along it. 1 as in the source.
    poisson: Poisson's ratio of the cement, in place of `shear_ratio`: 1/(2 (1 + poisson)).
    damping: The damper of one anchor: as given by `damper`, or so that a pair is critically damped along the line of
        centres, 2 sqrt(k m*/anchors), with the same damper across it.
    damper: Damper c of one anchor. [N s/m]
    damping_ratio: In place of these: the damping of a pair over its critical damping, along the line of centres and
        across it alike.
    strength: Force of one anchor beyond which it breaks, in every direction. [N]
    tensile_strength: In place of `strength`: pull along the line of centres at which an anchor breaks. [N]
    shear_strength: Force across the line of centres at which it breaks. [N]
    compressive_strength: Push along the line of centres at which it breaks. [N]
    tensile_stress: The tensile strength as a stress, on the anchor's share of the cement's area. [Pa]
    shear_stress: The shear strength as a stress. [Pa]
    compressive_stress: The compressive strength as a stress. [Pa]
    weibull_modulus: Scatter of all strengths by one factor per joint: a share of 1 - exp(-x^modulus) of the joints has
        a factor below x. Without it all are alike.
    break_on: The force that counts: with the damper, or of the spring alone.
    anchor: Both anchors midway between the surfaces, without force at first; or each on its own surface, so that a gap
        is pulled together.
    point: Where forces act: midway between the anchors, which conserves angular momentum; or at each anchor, as in the
        source.
    contact: Bonded bodies also touch as others do.
    start_stage: The bonds are made when this stage begins; without it at the start.
    """
    between: Literal["touching", "near", "list"]
    group_a: str
    group_b: str
    wall: str
    max_gap: Number
    max_distance: Number
    pairs: Sequence[Sequence[int]]
    anchors: int
    ring_radius: Number
    radius: Number
    radius_factor: Number
    stiffness: Number
    young: Number
    shear_ratio: Number
    poisson: Number
    damping: Literal["value", "critical"]
    damper: Number
    damping_ratio: Number
    strength: Union[Number, Literal["unbreakable"]]
    tensile_strength: Union[Number, Literal["unbreakable"]]
    shear_strength: Union[Number, Literal["unbreakable"]]
    compressive_strength: Union[Number, Literal["unbreakable"]]
    tensile_stress: Union[Number, Literal["unbreakable"]]
    shear_stress: Union[Number, Literal["unbreakable"]]
    compressive_stress: Union[Number, Literal["unbreakable"]]
    weibull_modulus: Number
    break_on: Literal["total", "elastic"]
    anchor: Literal["common", "surface"]
    point: Literal["midpoint", "anchors"]
    contact: bool
    start_stage: str


class FluidFlows(TypedDict, total=False):
    """
    velocity: Velocity at `point`. [m/s]
    gradient: Three rows: how vx, vy and vz change along x, y and z, [[dvx/dx, dvx/dy, dvx/dz], ...]. [1/s]
    point: Where the velocity is `velocity`. [m]
    region: Where it flows; everywhere without this key.
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    velocity: Vector
    gradient: Sequence[Vector]
    point: Vector
    region: ParticlesLatticeRegion
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class Fluid(TypedDict, total=False):
    """
    density: Density. [kg/m^3]
    viscosity: Dynamic viscosity. [Pa s]
    drag: Drag: by the Reynolds number (`chow`, `schiller_naumann`), `coefficient` times the velocity (`linear`), or 6
        pi c r u (`stokes`).
    coefficient: linear: force over velocity, kg/s; stokes: viscosity c, Pa s, 0 takes `viscosity`.
    magnus: Magnus force M w x u; 0: none. [kg]
    buoyancy: The weight of the displaced fluid is carried.
    flows: Parts of the fluid's velocity; at rest without any.
    """
    density: Number
    viscosity: Number
    drag: Literal["none", "chow", "schiller_naumann", "linear", "stokes"]
    coefficient: Number
    magnus: Number
    buoyancy: bool
    flows: Mapping[str, FluidFlows]


class _Forces(TypedDict):
    law: Literal["power", "lennard_jones", "coulomb"]


class Forces(_Forces, total=False):
    """
    law: Power laws, Lennard-Jones, or Coulomb's law between charges.
    between: Two groups, ["a", "b"], or one group twice; without this key all particles.
    k_at: power: attraction, N m^a_at.
    a_at: power: exponent of the attraction.
    k_rep: power: repulsion, N m^a_rep.
    a_rep: power: exponent of the repulsion.
    depth: lennard_jones: depth of the well, epsilon. [J]
    size: lennard_jones: distance of zero energy, sigma. [m]
    permittivity: coulomb: permittivity of the surroundings. [F/m]
    cutoff: No force beyond this distance; none: every pair, exactly. [m]
    shift: Subtract the force at the cut-off, so that it ends at zero.
    walls: Walls that act on the first group with the same law; the distance is that of centre and wall.
    """
    between: Sequence[str]
    k_at: Number
    a_at: Number
    k_rep: Number
    a_rep: Number
    depth: Number
    size: Number
    permittivity: Number
    cutoff: Union[Number, Literal["none"]]
    shift: bool
    walls: Sequence[str]


class StagesUntil(TypedDict, total=False):
    """
    at_rest: Ends when the kinetic energy per particle, without spin that no contact resists, stays below `rest_energy`.
    value: Ends when this number of a series passes a bound: SERIES.COLUMN, as `state.particles`, `walls.lid.force_z_N`,
        or a column of a measure.
    above: The bound that it rises above, in the column's unit.
    below: The bound that it falls below.
    every: Time between two looks at it; auto: 100 steps. [s]
    at_most: Ends after this time in any case; without it the stage waits, however long. [s]
    rest_energy: Energy per particle; auto: 1e-6 of m g d of the mean particle; without gravity 1e-9 of the most that it
        has been. [J]
    """
    at_rest: bool
    value: str
    above: Union[Number, Literal["none"]]
    below: Union[Number, Literal["none"]]
    every: Union[Number, Literal["auto"]]
    at_most: Number
    rest_energy: Union[Number, Literal["auto"]]


class Stages(TypedDict, total=False):
    """
    name: Name; default: stage1, stage2, ...
    duration: Simulated time. [s]
    until: The end of a stage by an event; with several of them by the first.
    set: Keys of `contacts`, `materials`, `fields`, `fluid` and `forces` that have another value from now on, by their
        paths: `set = { "contacts.default.tangential.mu" = 0.1 }`.
    remove: Walls and groups taken away at the beginning of the stage, as ["walls.cage", "particles.pile"].
    insert: Walls that appear at the beginning of the stage, as ["walls.lid"]; before it they are not there.
    release: Groups of prescribed particles that are free from now on.
    freeze: Groups of particles that stand still from now on.
    """
    name: str
    duration: Number
    until: StagesUntil
    set: Mapping[str, Any]
    remove: Sequence[str]
    insert: Sequence[str]
    release: Sequence[str]
    freeze: Sequence[str]


class _DomainLoading(TypedDict):
    axes: Sequence[Literal["x", "y", "z"]]


class DomainLoading(_DomainLoading, total=False):
    """
    axes: Axes that it acts on. Where several loads act, the last one leads.
    strain_rate: Rate of shortening over the present length; 0 holds the length. [1/s]
    stress: Normal stress that is held, by contacts and by motion. [Pa]
    max_rate: `stress`: largest strain rate; auto: an inertial number of 1e-3 at that stress. [1/s]
    gain: `stress`: how fast it follows, times the gain that is chosen from the stiffness of the contacts and the step.
    start: Time at which it begins. [s]
    stop: Time at which it ends. [s]
    start_stage: Stage with whose beginning it begins, in place of `start`.
    stop_stage: Stage with whose beginning it ends, in place of `stop`.
    """
    strain_rate: Number
    stress: Number
    max_rate: Union[Number, Literal["auto"]]
    gain: Number
    start: Number
    stop: Union[Number, Literal["never"]]
    start_stage: str
    stop_stage: str


class Domain(TypedDict, total=False):
    """
    box: Two corners, [[x, y, z], [x, y, z]]. Without it the domain is open everywhere. [m]
    periodic: Directions in which the box repeats itself.
    rule: What happens to a particle whose centre leaves the box: nothing, it is taken out and counted as lost, or the
        run stops.
    dimension: 2: motion in one plane only.
    plane: The plane of a 2-D run.
    disk_thickness: 2-D: particles are disks of this thickness h, m = pi r^2 h rho; else spheres. [m]
    loading: A load that deforms the periodic box along some of its axes. Shortening and compression count positive.
    """
    box: Sequence[Vector]
    periodic: Sequence[Literal["x", "y", "z"]]
    rule: Literal["open", "delete", "stop"]
    dimension: int
    plane: Literal["xy", "xz", "yz"]
    disk_thickness: Number
    loading: Mapping[str, DomainLoading]


class NumericsImplicit(TypedDict, total=False):
    """
    phi: Weight of the new state: 0.5 is of second order, 1 damps strongly, 0 is explicit.
    sweep: All particles from the last iterate, or one after the other by id (serial, small systems).
    predictor: First iterate: moved on at constant velocity, or the old state.
    max_sweeps: Sweeps after which a step counts as not converged.
    tol_x: Tolerance of the relative error of positions.
    tol_a: Tolerance of the relative error of turns.
    tol_v: Tolerance of the relative error of velocities.
    tol_w: Tolerance of the relative error of spins.
    tol_abs: Tolerance of errors that there is nothing to divide by.
    test_velocities: Velocities and spins are tested, too.
    adapt: Control of the step size by the number of sweeps or by their errors; `dt` is the largest step.
    desired_sweeps: Sweeps per step that the control aims at; with zohdi also the most.
    max_error: Relative error beyond which a step is given up.
    dt_min: Smallest step of the control; auto: 1/1000 of `dt`. [s]
    on_stall: A step that neither converges nor may become smaller: its best iterate is accepted and counted, or the run
        stops.
    """
    phi: Number
    sweep: Literal["jacobi", "gauss_seidel"]
    predictor: Literal["uniform", "rest"]
    max_sweeps: int
    tol_x: Number
    tol_a: Number
    tol_v: Number
    tol_w: Number
    tol_abs: Number
    test_velocities: bool
    adapt: Literal["none", "campello", "zohdi"]
    desired_sweeps: int
    max_error: Number
    dt_min: Union[Number, Literal["auto"]]
    on_stall: Literal["accept", "stop"]


class NumericsEvents(TypedDict, total=False):
    """
    contact_time: A body that collided less than this ago collides elastically, which keeps a collapse from happening
        (TC model). [s]
    collapse_time: The run stops when a particle collides 100 times within this; auto: 1e-10 of the run. [s]
    """
    contact_time: Union[Number, Literal["off"]]
    collapse_time: Union[Number, Literal["auto"]]


class Numerics(TypedDict, total=False):
    """
    engine: Soft contacts resolved in time steps, or hard spheres that fly from collision to collision.
    scheme: Time integration.
    dt: Time step; auto: from the stiffest and lightest contact. [s]
    dt_fraction: The automatic time step is the shortest contact time over this.
    max_speed: Closing speed for the estimate of the time step; auto: from the case. [m/s]
    skin: Largest gap of pairs in the neighbour lists. [m]
    implicit: Settings of the scheme `trapezoid`.
    events: Settings of `engine = "events"`.
    ledger: Book work and energy per mechanism.
    rotation_increment: Angle turned in a step: |w| dt, or 2 atan(|w| dt / 2) of the source.
    lever: Lever arm of contact forces: the radius, or shortened by the overlap.
    start_overlap: Overlap over the smaller radius beyond which particles are refused at the start; raise it to read
        back a soft packing.
    max_overlap: Overlap over the smaller radius beyond which the run stops as blown up; at 2 the centres of equal
        spheres meet, and nothing says which way they push each other.
    threads: Threads; all: as many as help, of the cores it may use. Results do not depend on it.
    seed: Seed of all random numbers.
    """
    engine: Literal["steps", "events"]
    scheme: Literal["drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"]
    dt: Union[Number, Literal["auto"]]
    dt_fraction: Number
    max_speed: Union[Number, Literal["auto"]]
    skin: Union[Number, Literal["auto"]]
    implicit: NumericsImplicit
    events: NumericsEvents
    ledger: bool
    rotation_increment: Literal["exact", "source"]
    lever: Literal["radius", "deformed"]
    start_overlap: Number
    max_overlap: Number
    threads: Union[int, Literal["all"]]
    seed: int


class _OutputMeasure(TypedDict):
    kind: Literal["repose_angle", "deposit", "granular_temperature", "mixing", "stress", "fabric", "mass_flow", "count", "center_of_mass", "field", "profile", "residence", "force_distribution", "radial_distribution", "wear", "loading"]


class OutputMeasure(_OutputMeasure, total=False):
    """
    kind: What is measured; the guide explains each.
    every: Time between looks; without it those of the series. [s]
    average: Each line is the mean over the looks of a window of this length; without it of one instant. [s]
    group: Particles of this group only; without it all free particles.
    other_group: mixing: the second group; radial_distribution: that of the partners, without it `group`.
    region: Only what lies in this region; stress, profile and radial_distribution need one with a volume, field a box.
    axis: Up (repose_angle), normal of the plate towards the particles (deposit), direction of the flow (mass_flow),
        across the slices of a box (profile).
    point: Middle of the base (repose_angle), of the plate (deposit), of the opening (mass_flow). [m]
    radius: Of the target (deposit), of the opening (mass_flow; without it the whole plane), largest distance
        (radial_distribution). [m]
    cell: mixing: edge of the cells; auto: four mean diameters. field: longest edge of the grid's cells, at most
        `width`. [m]
    width: field: standard deviation of the coarse-graining function along an axis. [m]
    bins: profile: slices; force_distribution, radial_distribution: bins of the histogram.
    up_to: force_distribution: end of the histogram, force over its mean.
    weight: mixing: by which shares are counted.
    walls: wear: these walls; without it all.
    loading: loading: its name.
    wear_coefficient: wear: volume worn off over normal force times slip, Archard's K/H. [1/Pa]
    """
    every: Number
    average: Number
    group: str
    other_group: str
    region: ParticlesLatticeRegion
    axis: Vector
    point: Vector
    radius: Number
    cell: Union[Number, Literal["auto"]]
    width: Number
    bins: int
    up_to: Number
    weight: Literal["number", "mass"]
    walls: Sequence[str]
    loading: str
    wear_coefficient: Number


class Output(TypedDict, total=False):
    """
    frames: Time between frames; ends: first and last only. [s]
    series: Time between lines of the series; auto: 1/200 of the run. [s]
    checkpoint: Wall clock time between checkpoints. [s]
    contacts: Write the contacts with the frames.
    contact_frames: Time between frames that have contacts, from `frames` upwards; frames: all have. The first and the
        last frame have them in any case. [s]
    arrays: Arrays of particles in frames, beside positions, `id` and `radius`; all: every one.
    contact_arrays: Arrays of contacts in frames, beside `i`, `j` and `wall`; all: every one.
    precision: Of the numbers in frames; single: positions are doubles where floats would move a centre by more than
        1e-4 of its radius. Checkpoints and series are always exact.
    track: Ids of particles whose motion is written to the series.
    solid_fraction: Named regions in which the solid fraction is measured.
    measure: Something measured while the case runs, into NAME.csv.
    """
    frames: Union[Number, Literal["ends"]]
    series: Union[Number, Literal["auto"]]
    checkpoint: Union[Number, Literal["never"]]
    contacts: bool
    contact_frames: Union[Number, Literal["frames"]]
    arrays: Sequence[Literal["velocity", "speed", "spin", "orientation", "force", "torque", "mass", "charge", "material", "group", "coordination", "prescribed", "all"]]
    contact_arrays: Sequence[Literal["patch", "force", "normal", "tangential", "overlap", "point", "direction", "elongation", "all"]]
    precision: Literal["single", "double"]
    track: Sequence[int]
    solid_fraction: Mapping[str, ParticlesLatticeRegion]
    measure: Mapping[str, OutputMeasure]


class _Case(TypedDict):
    stages: Sequence[Stages]


class Case(_Case, total=False):
    """
    title: One line about the case.
    start: The case starts from the state of another run: particles with their ids, contacts with what they remember,
        bonds. Time begins at 0.
    materials: What a body is made of. Names consist of letters, digits and `_`.
    contacts: What acts between two materials, as [contacts.A-B]; `[contacts.default]` serves all pairs without a table.
        A pair of a particle and a wall material without either takes the table of the particle's material with itself.
        `areia check` tells the table of every pair.
    particles: A set of particles that are made in the same way.
    walls: A wall.
    loading: Loads a sample between pairs of walls, by stresses or strain rates along x, y and z. Of two loadings that
        run at once and drive the same walls the later one in the file does.
    fields: A field that acts on free particles. Several of them add.
    bonds: A set of geometric bonds: springs between anchors that are fixed in the bodies. A bond that breaks never
        heals.
    fluid: The fluid around the particles. It acts on them; they do not act on it.
    forces: Attraction and repulsion at a distance, f = k_at d^-a_at - k_rep d^-a_rep towards the other.
    stages: A part of the run. Stages follow each other in the order of the file; at least one is needed.
    domain: The space of the simulation.
    numerics: How the equations are solved. Everything here has a good default.
    output: What is written to the results folder.
    """
    title: str
    start: Start
    materials: Mapping[str, Materials]
    contacts: Mapping[str, Contacts]
    particles: Mapping[str, Particles]
    walls: Mapping[str, Walls]
    loading: Mapping[str, Loading]
    fields: Mapping[str, Fields]
    bonds: Mapping[str, Bonds]
    fluid: Fluid
    forces: Mapping[str, Forces]
    domain: Domain
    numerics: Numerics
    output: Output
