// A scene built in code: a glass ball falls onto a floor and comes to rest; its weight is then the force on the floor.
#include <areia/areia.h>

#include <cstdio>

int main() {
  areia::Case c;
  c.title = "A ball on a floor";
  c.materials = {{.name = "glass", .density = 2500, .young = 20e6, .poisson = 0.25}, {.name = "floor", .rigid = true}};
  c.contacts = {{.a = "glass", .b = "glass", .normal = {"hertz", {{"xi", 0.3}}, {}}},
                {.a = "glass", .b = "floor", .normal = {"hertz", {{"xi", 0.3}}, {}}}};

  areia::ParticleSet ball;
  ball.name = "ball";
  ball.material = "glass";
  ball.radius.value = 0.01;  // m
  ball.source = std::vector<areia::ListedParticle>{{.x = {0, 0, 0.02}, .v = {0, 0, 0}, .w = {0, 0, 0}}};
  c.particles = {ball};

  c.walls = {{.name = "floor", .shape = areia::PlaneShape{.point = {0, 0, 0}, .normal = {0, 0, 1}}}};
  areia::ForceField gravity;
  gravity.name = "gravity";
  gravity.value = {0, 0, -9.81};  // m/s^2
  c.fields = {gravity};
  c.stages = {{.name = "fall", .duration = 1.0}};

  try {
    areia::Simulation simulation(c);
    std::printf("time step %.3g s: %s\n", simulation.dt(), simulation.choices().dt_reason.c_str());
    while (!simulation.finished()) {
      simulation.advance(static_cast<std::int64_t>(0.1 / simulation.dt()));
      const areia::Frame f = simulation.frame();
      std::printf("t = %.3f s  height %.6f m  force on the floor %.6f N\n", f.time, f.particles.x[0].z,
                  f.walls[0].force.z);
    }
    const areia::Frame end = simulation.frame();
    std::printf("weight %.6f N, force on the floor %.6f N\n", end.particles.mass[0] * 9.81, -end.walls[0].force.z);
    std::printf("state hash %s\n", areia::state_hash(end).c_str());
  } catch (const areia::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
