#include "impact/rest.h"

#include <fmt/format.h>

#include <algorithm>

namespace areia::impact {

namespace {

double slip_sign(Touch t) { return t == Touch::slip_plus ? 1 : t == Touch::slip_minus ? -1 : 0; }

// R_T of a slipping contact is -s mu R_N; a smooth one has none.
double ratio(Touch t, double mu) { return -slip_sign(t) * mu; }

}  // namespace

const char* name(Touch touch) {
  switch (touch) {
    case Touch::stick:
      return "stick";
    case Touch::slip_plus:
      return "slip+1";
    case Touch::slip_minus:
      return "slip-1";
    case Touch::smooth:
      break;
  }
  return "smooth";
}

std::optional<Reactions> reactions(const System& system, double t, const Vector& q, const Vector& v,
                                   const std::vector<RestingContact>& resting, double mu) {
  const MassMatrix M(system.mass(q));
  const Vector free = M.solve(system.force(t, q, v));
  const std::size_t n = resting.size();
  std::vector<Rows> W;
  std::vector<Vector> responses;  // M^-1 times the direction of each unknown
  std::vector<std::size_t> normal_of(n), tangential_of(n, n * 2);
  std::vector<std::pair<std::size_t, bool>> unknowns;  // contact, is tangential
  for (std::size_t k = 0; k < n; ++k) {
    W.push_back(system.rows(resting[k].contact, q));
    Vector direction = W[k].N;
    add(direction, ratio(resting[k].touch, mu), W[k].T);
    normal_of[k] = unknowns.size();
    unknowns.emplace_back(k, false);
    responses.push_back(M.solve(direction));
    if (resting[k].touch == Touch::stick) {
      tangential_of[k] = unknowns.size();
      unknowns.emplace_back(k, true);
      responses.push_back(M.solve(W[k].T));
    }
  }
  Matrix G = square(unknowns.size());
  Vector right(unknowns.size());
  std::vector<std::array<double, 2>> b(n);
  for (std::size_t k = 0; k < n; ++k) {
    b[k] = system.bias(resting[k].contact, q, v);
    b[k][0] += dot(W[k].N, free);
    b[k][1] += dot(W[k].T, free);
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const std::size_t k = unknowns[i].first;
    const Vector& row = unknowns[i].second ? W[k].T : W[k].N;
    right[i] = -b[k][unknowns[i].second ? 1 : 0];
    for (std::size_t j = 0; j < unknowns.size(); ++j) G[i][j] = dot(row, responses[j]);
  }
  const auto R = solve_any(G, right);
  if (!R) return std::nullopt;
  Reactions r;
  r.acceleration = free;
  for (std::size_t j = 0; j < unknowns.size(); ++j) add(r.acceleration, (*R)[j], responses[j]);
  for (std::size_t k = 0; k < n; ++k) {
    const double RN = (*R)[normal_of[k]];
    r.N.push_back(RN);
    r.T.push_back(resting[k].touch == Touch::stick ? (*R)[tangential_of[k]] : ratio(resting[k].touch, mu) * RN);
    r.dDN.push_back(b[k][0] + dot(W[k].N, r.acceleration) - dot(W[k].N, free));
    r.dDT.push_back(b[k][1] + dot(W[k].T, r.acceleration) - dot(W[k].T, free));
  }
  return r;
}

RestChoice choose_rest(const System& system, const State& s, const std::vector<std::size_t>& touching,
                       const std::vector<RestingContact>& forced, double mu, double speed_scale) {
  const MassMatrix M(system.mass(s.q));
  const Vector free = M.solve(system.force(s.t, s.q, s.v));
  const std::size_t n = touching.size();
  std::vector<std::vector<Touch>> options(n);  // of a closed contact
  std::vector<char> undecided(n, 0);           // no slip yet: it may begin in either direction
  std::vector<Rows> W;
  std::vector<std::array<double, 2>> bias;
  bool wedge = false;  // A + s mu B <= 0 for a slip that is possible
  double b_scale = 1e-300;
  for (std::size_t k = 0; k < n; ++k) {
    W.push_back(system.rows(touching[k], s.q));
    bias.push_back(system.bias(touching[k], s.q, s.v));
    b_scale = std::max({b_scale, std::fabs(bias[k][0]), std::fabs(dot(W[k].N, free)), std::fabs(bias[k][1])});
    const LocalMass m = local_mass(M, W[k]);
    const double DT = W[k].DT(s.v);
    const auto pushed =
        std::find_if(forced.begin(), forced.end(), [&](const RestingContact& c) { return c.contact == touching[k]; });
    if (mu == 0 || m.no_tangent()) options[k] = {Touch::smooth};
    else if (pushed != forced.end()) options[k] = {pushed->touch};
    else if (std::fabs(DT) > 1e-11 * speed_scale) options[k] = {DT > 0 ? Touch::slip_plus : Touch::slip_minus};
    else {
      options[k] = {Touch::stick, Touch::slip_plus, Touch::slip_minus};
      undecided[k] = 1;
      // Delta = 0: the normal reaction alone holds the slip, too; which share friction has is not determined.
      if (m.rank_one()) options[k].insert(options[k].begin(), Touch::smooth);
    }
    for (const Touch t : options[k]) wedge = wedge || (slip_sign(t) != 0 && m.A + slip_sign(t) * mu * m.B <= 0);
  }
  // Open before closed, the last contact varying fastest, as for impacts (section 8).
  for (std::size_t mask = 0; mask < (std::size_t{1} << n); ++mask) {
    std::vector<std::size_t> closed;
    for (std::size_t k = 0; k < n; ++k)
      if (mask >> (n - 1 - k) & 1) closed.push_back(k);
    std::vector<std::size_t> choice(closed.size(), 0);
    for (bool more = true; more;) {
      std::vector<RestingContact> resting;
      for (std::size_t i = 0; i < closed.size(); ++i)
        resting.push_back({touching[closed[i]], options[closed[i]][choice[i]]});
      if (const auto r = reactions(system, s.t, s.q, s.v, resting, mu)) {
        double R_scale = 1e-300;
        for (std::size_t i = 0; i < closed.size(); ++i) R_scale = std::max(R_scale, std::fabs(r->N[i]));
        bool fits = true;
        for (std::size_t i = 0; i < closed.size() && fits; ++i) {
          const Touch t = resting[i].touch;
          fits = r->N[i] >= -1e-10 * R_scale;
          if (t == Touch::stick) fits = fits && std::fabs(r->T[i]) <= mu * r->N[i] + 1e-10 * R_scale;
          // A slip that begins now must be driven in its own direction.
          const bool begins = undecided[closed[i]] && t != Touch::stick && t != Touch::smooth;
          if (begins) fits = fits && slip_sign(t) * r->dDT[i] > 0;
        }
        for (std::size_t k = 0; k < n && fits; ++k)
          if (std::find(closed.begin(), closed.end(), k) == closed.end())
            fits = bias[k][0] + dot(W[k].N, r->acceleration) >= -1e-14 * b_scale;
        if (fits) return {Status::ok, "", resting};
      }
      more = false;
      for (std::size_t i = closed.size(); i-- > 0 && !more;) {
        if (++choice[i] < options[closed[i]].size()) more = true;
        else choice[i] = 0;
      }
    }
  }
  if (wedge)
    return {
        Status::painleve, "a slipping contact wedges itself: A + s mu B <= 0, no finite reaction keeps it closed", {}};
  return {Status::no_solution, "no reactions keep the touching contacts closed or let them open", {}};
}

void settle(const System& system, State& s, const std::vector<RestingContact>& resting) {
  if (resting.empty()) return;
  const MassMatrix M(system.mass(s.q));
  std::vector<Vector> rows, responses;
  Vector velocity, gap;
  for (const RestingContact& c : resting) {
    const Rows W = system.rows(c.contact, s.q);
    rows.push_back(W.N);
    velocity.push_back(-W.DN(s.v));
    gap.push_back(-system.gap(c.contact, s.t, s.q));
    if (c.touch != Touch::stick) continue;
    rows.push_back(W.T);
    velocity.push_back(-W.DT(s.v));
    gap.push_back(0);
  }
  for (const Vector& r : rows) responses.push_back(M.solve(r));
  Matrix G = square(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) G[i][j] = dot(rows[i], responses[j]);
  // Redundant contacts (a flat bar that sticks at both ends) may disagree by rounding; then nothing is changed.
  if (const auto I = solve_any(G, velocity))
    for (std::size_t j = 0; j < rows.size(); ++j) add(s.v, (*I)[j], responses[j]);
  if (const auto x = solve_any(G, gap))
    for (std::size_t j = 0; j < rows.size(); ++j) add(s.q, (*x)[j], responses[j]);
}

}  // namespace areia::impact
