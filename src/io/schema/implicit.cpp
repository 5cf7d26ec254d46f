// Keys of the implicit scheme, numerics.implicit.
#include "io/schema/parts.h"

namespace areia::io {

const Table<Implicit>& implicit_table() {
  using I = Implicit;
  static const Table<I> table{
      "Settings of the scheme `trapezoid`.",
      {number("phi", &I::phi,
              {.range = {0, 1},
               .text = "Weight of the new state: 0.5 is of second order, 1 damps strongly, 0 is explicit."}),
       word("sweep", &I::sweep, {{"jacobi", I::Sweep::jacobi}, {"gauss_seidel", I::Sweep::gauss_seidel}},
            {.text = "All particles from the last iterate, or one after the other by id (serial, small systems)."}),
       word("predictor", &I::predictor, {{"uniform", I::Predictor::uniform}, {"rest", I::Predictor::rest}},
            {.text = "First iterate: moved on at constant velocity, or the old state."}),
       integer("max_sweeps", &I::max_sweeps,
               {.range = {1, 100000}, .text = "Sweeps after which a step counts as not converged."}),
       number("tol_x", &I::tol_x, {.range = kPositive, .text = "Tolerance of the relative error of positions."}),
       number("tol_a", &I::tol_a, {.range = kPositive, .text = "Tolerance of the relative error of turns."}),
       number("tol_v", &I::tol_v, {.range = kPositive, .text = "Tolerance of the relative error of velocities."}),
       number("tol_w", &I::tol_w, {.range = kPositive, .text = "Tolerance of the relative error of spins."}),
       number("tol_abs", &I::tol_abs,
              {.range = kPositive, .text = "Tolerance of errors that there is nothing to divide by."}),
       boolean("test_velocities", &I::test_velocities, {.text = "Velocities and spins are tested, too."}),
       word("adapt", &I::adapt,
            {{"none", I::Adapt::none}, {"campello", I::Adapt::campello}, {"zohdi", I::Adapt::zohdi}},
            {.text = "Control of the step size by the number of sweeps or by their errors; `dt` is the largest step."}),
       integer("desired_sweeps", &I::desired_sweeps,
               {.range = {1, 100000}, .text = "Sweeps per step that the control aims at; with zohdi also the most."}),
       number("max_error", &I::max_error,
              {.range = kPositive, .text = "Relative error beyond which a step is given up."}),
       number("dt_min", &I::dt_min,
              {.unit = "s",
               .range = kPositive,
               .word = "auto",
               .text = "Smallest step of the control; auto: 1/1000 of `dt`."}),
       word("on_stall", &I::on_stall, {{"accept", I::OnStall::accept}, {"stop", I::OnStall::stop}},
            {.text = "A step that neither converges nor may become smaller: its best iterate is accepted and counted, "
                     "or the run stops."})}};
  return table;
}

}  // namespace areia::io
