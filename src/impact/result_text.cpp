#include "impact/result_text.h"

namespace areia::impact {

namespace {

void list(TextOut& out, const std::vector<double>& v) {
  out.text("[");
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i) out.text(",");
    out.number(v[i]);
  }
  out.text("]");
}

void refusal(TextOut& out, Status status, const char* phase, const char* reason) {
  out.text("{\"status\":\"");
  out.text(name(status));
  if (*phase) {
    out.text("\",\"phase\":\"");
    out.text(phase);
  }
  out.text("\",\"reason\":\"");
  out.text(reason);
  out.text("\"}");
}

const char* class_name(const Kind& k) {
  return k.direct ? (k.central ? "direct central" : "direct eccentric")
                  : (k.central ? "oblique central" : "oblique eccentric");
}

}  // namespace

void write_result(TextOut& out, const Impact& r, Law law, bool rotates, const ResultExtras& extras) {
  if (!r.ok()) return refusal(out, r.status, r.phase, r.reason);
  const bool moment = law == Law::brach || law == Law::cs;
  const bool shift = law == Law::gp1 || law == Law::gp2 || law == Law::cs;
  const auto field = [&](std::string_view label, double x) {
    out.text(label);
    out.number(x);
  };
  out.text("{\"status\":\"ok\",\"mode\":\"");
  out.text(r.mode);
  field("\",\"IN\":", r.I.N);
  field(",\"IT\":", r.I.T);
  if (moment) field(",\"Ith\":", r.I.th);
  if (r.stages) {
    field(",\"INC\":", r.IC.N);
    field(",\"ITC\":", r.IC.T);
    if (moment) field(",\"IthC\":", r.IC.th);
    field(",\"INE\":", r.IE.N);
    field(",\"ITE\":", r.IE.T);
    if (moment) field(",\"IthE\":", r.IE.th);
    if (shift) field(",\"ITS2\":", r.ITS2);
    field(",\"DTC\":", r.C.T);
    if (moment) field(",\"DthC\":", r.C.th);
  }
  field(",\"DNE\":", r.E.N);
  field(",\"DTE\":", r.E.T);
  if (rotates) field(",\"DthE\":", r.E.th);
  field(",\"dT\":", r.dT);
  if (extras.inertial) field(",\"dT_inertial\":", r.dT_inertial);
  if (r.works) {
    field(",\"WnC\":", r.WnC);
    field(",\"WnE\":", r.WnE);
    field(",\"Wt\":", r.Wt);
    out.text(",\"points\":[");
    for (int i = 0; i < r.path.size; ++i) {
      const PathPoint& p = r.path.points[i];
      field(i ? ",[" : "[", p.IN);
      field(",", p.IT);
      field(",", p.DN);
      field(",", p.DT);
      out.text("]");
    }
    out.text("]");
  }
  if (law == Law::smith) field(",\"ratio\":", r.ratio);
  if (law == Law::brach) {
    field(",\"ratio_used\":", r.ratio_used);
    field(",\"ratio_critical\":", r.ratio_critical);
  }
  if (law == Law::fremond) field(",\"reaction\":", r.reaction);
  if (law == Law::cs) out.text(r.extra_normal ? ",\"extra_normal\":true" : ",\"extra_normal\":false");
  if (extras.qdotE) {
    out.text(",\"qdotE\":");
    list(out, *extras.qdotE);
  }
  if (extras.omegaE) field(",\"omegaE\":", *extras.omegaE);
  if (r.has_eb2) field(",\"eb2\":", r.eb2);
  out.text(r.energy_gain ? ",\"energy_gain\":true,\"class\":\"" : ",\"energy_gain\":false,\"class\":\"");
  out.text(class_name(r.kind));
  out.text("\"}");
}

void write_result(TextOut& out, const ManyImpact& r) {
  if (!r.ok()) return refusal(out, r.status, r.phase, r.reason);
  const auto pairs = [&](std::string_view label, const auto& values) {
    out.text(label);
    for (std::size_t i = 0; i < values.size(); ++i) {
      out.text(i ? "," : "[");
      out.number(values[i].N);
      out.text(",");
      out.number(values[i].T);
    }
    out.text("]");
  };
  out.text("{\"status\":\"ok\",\"modes\":[");
  for (std::size_t i = 0; i < r.modes.size(); ++i) {
    out.text(i ? ",\"" : "\"");
    out.text(r.modes[i]);
    out.text("\"");
  }
  out.text("]");
  if (r.substituted) out.text(",\"solved_as\":\"gp1\"");
  pairs(",\"IC\":", r.IC);
  pairs(",\"IE\":", r.IE);
  pairs(",\"I\":", r.I);
  pairs(",\"DE\":", r.E);
  out.text(",\"qdotE\":");
  list(out, r.qdotE);
  out.text(",\"dT\":");
  out.number(r.dT);
  out.text(",\"dT_inertial\":");
  out.number(r.dT_inertial);
  out.text(r.energy_gain ? ",\"energy_gain\":true}" : ",\"energy_gain\":false}");
}

void write_result(TextOut& out, const Diagram& d) {
  const auto point = [&](std::string_view label, const PlanePoint& p) {
    out.text(label);
    out.text("{\"IN\":");
    out.number(p.IN);
    out.text(",\"IT\":");
    out.number(p.IT);
    out.text("}");
  };
  const auto crossings = [&](std::string_view label, const std::vector<SlipPoint>& points) {
    out.text(label);
    for (std::size_t i = 0; i < points.size(); ++i) {
      out.text(i ? ",{\"slip\":" : "{\"slip\":");
      out.number(points[i].slip);
      out.text(",\"IN\":");
      out.number(points[i].at.IN);
      out.text(",\"IT\":");
      out.number(points[i].at.IT);
      out.text("}");
    }
    out.text("]");
  };
  out.text("{\"status\":\"ok\",\"conic\":\"");
  out.text(d.energy.kind == Conic::ellipse    ? "ellipse\""
           : d.energy.kind == Conic::parabola ? "parabola\""
                                              : "parallel_lines\"");
  if (d.energy.kind == Conic::ellipse) {
    point(",\"ellipse_centre\":", d.energy.centre);
    out.text(",\"semi_axes\":");
    list(out, {d.energy.semi_axes[0], d.energy.semi_axes[1]});
  }
  point(",\"axis_directions\":[", d.energy.directions[0]);
  point(",", d.energy.directions[1]);
  out.text("],\"local_energy\":");
  out.number(d.local_energy);
  out.text(",\"mu_s\":");
  out.number(d.mu_s);
  crossings(",\"friction_with_compression\":[", d.friction_with_compression);
  crossings(",\"friction_with_termination\":[", d.friction_with_termination);
  out.text("}");
}

}  // namespace areia::impact
