// Frames: what python/areia/frame.py shows as arrays.
#include "frame.h"

#include <fmt/format.h>

#include "arrays.h"
#include "core/suggest.h"
#include "observe/energy_columns.h"

namespace areia::python {
namespace {

// The parts of a frame by name, once: for what is asked for, and for what is shown.
template <class F>
void for_each_part(F&& f) {
  using P = FrameParticles;
  using C = FrameChoice;
  f("x", &C::x, &P::x);
  f("v", &C::v, &P::v);
  f("w", &C::w, &P::w);
  f("q", &C::q, &P::q);
  f("force", &C::force, &P::force);
  f("torque", &C::torque, &P::torque);
  f("radius", &C::radius, &P::radius);
  f("mass", &C::mass, &P::mass);
  f("charge", &C::charge, &P::charge);
  f("material", &C::material, &P::material);
  f("group", &C::group, &P::group);
  f("coordination", &C::coordination, &P::coordination);
  f("prescribed", &C::prescribed, &P::prescribed);
  f("contacts", &C::contacts, nullptr);
  f("walls", &C::walls, nullptr);
  f("bonds", &C::bonds, nullptr);
  f("energy", &C::energy, nullptr);
}

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for_each_part([&](const char* name, auto, auto) { names.emplace_back(name); });
  return names;
}

void require(const HeldFrame& f, bool FrameChoice::*part, const char* name) {
  if (!(f.has.*part)) throw Error(fmt::format("this frame was taken without `{}`", name));
}

py::array particle_array(const HeldFrame& f, const std::string& wanted) {
  if (wanted == "id") return column(f.frame->particles.id, f.frame);
  std::optional<py::array> found;
  for_each_part([&](const char* name, bool FrameChoice::*part, auto member) {
    if constexpr (!std::is_null_pointer_v<decltype(member)>)
      if (wanted == name) {
        require(f, part, name);
        const auto& values = f.frame->particles.*member;
        if (values.size() != f.frame->particles.id.size())
          throw Error(fmt::format("the files of this frame have no `{}`; output.arrays chooses what they have", name));
        found = column(values, f.frame);
      }
  });
  if (!found) throw py::key_error(wanted);
  return *found;
}

template <class S>
using Columns = std::vector<
    std::pair<const char*, std::function<py::array(const std::vector<S>&, const std::shared_ptr<const Frame>&)>>>;

template <class S, class T>
auto member(T S::*m) {
  return [m](const std::vector<S>& rows, const std::shared_ptr<const Frame>& owner) { return column(rows, m, owner); };
}

py::dict contacts(const HeldFrame& f) {
  require(f, &FrameChoice::contacts, "contacts");
  if (!f.contacts_known)
    throw Error(
        "the contacts of this instant are not known: another thread takes steps, or the run was resumed from a "
        "checkpoint "
        "on its way and took no step yet");
  static const Columns<FrameContact> all{{"i", member(&FrameContact::i)},
                                         {"j", member(&FrameContact::j)},
                                         {"wall", member(&FrameContact::wall)},
                                         {"patch", member(&FrameContact::patch)},
                                         {"point", member(&FrameContact::point)},
                                         {"n", member(&FrameContact::n)},
                                         {"overlap", member(&FrameContact::overlap)},
                                         {"force", member(&FrameContact::force)},
                                         {"normal", member(&FrameContact::normal)},
                                         {"tangential", member(&FrameContact::tangential)},
                                         {"elongation", member(&FrameContact::elongation)}};
  py::dict out;
  for (const auto& [name, array] : all) out[name] = array(f.frame->contacts, f.frame);
  return out;
}

py::dict bonds(const HeldFrame& f) {
  require(f, &FrameChoice::bonds, "bonds");
  static const Columns<FrameBond> all{{"i", member(&FrameBond::i)},        {"j", member(&FrameBond::j)},
                                      {"wall", member(&FrameBond::wall)},  {"set", member(&FrameBond::set)},
                                      {"at_i", member(&FrameBond::at_i)},  {"at_j", member(&FrameBond::at_j)},
                                      {"force", member(&FrameBond::force)}};
  py::dict out;
  for (const auto& [name, array] : all) out[name] = array(f.frame->bonds, f.frame);
  return out;
}

py::dict breaks(const HeldFrame& f) {
  require(f, &FrameChoice::bonds, "bonds");
  static const Columns<FrameBreak> all{{"time", member(&FrameBreak::time)},   {"i", member(&FrameBreak::i)},
                                       {"j", member(&FrameBreak::j)},         {"wall", member(&FrameBreak::wall)},
                                       {"set", member(&FrameBreak::set)},     {"point", member(&FrameBreak::point)},
                                       {"force", member(&FrameBreak::force)}, {"normal", member(&FrameBreak::normal)},
                                       {"shear", member(&FrameBreak::shear)}};
  py::dict out;
  for (const auto& [name, array] : all) out[name] = array(f.frame->breaks, f.frame);
  return out;
}

py::list walls(const HeldFrame& f) {
  require(f, &FrameChoice::walls, "walls");
  py::list out;
  for (const FrameWall& w : f.frame->walls) {
    const std::shared_ptr<const FrameWall> wall(f.frame, &w);
    py::dict one;
    one["name"] = w.name;
    one["present"] = w.present;
    one["force"] = tuple_of(w.force);
    one["torque"] = tuple_of(w.torque);
    one["origin"] = tuple_of(w.origin);
    one["velocity"] = tuple_of(w.velocity);
    one["turn"] = py::make_tuple(w.turn[0], w.turn[1], w.turn[2], w.turn[3]);
    one["vertices"] = column(w.vertices, wall);
    one["polygons"] = w.polygons;
    out.append(one);
  }
  return out;
}

std::map<std::string, double> energy(const HeldFrame& f) {
  require(f, &FrameChoice::energy, "energy");
  std::map<std::string, double> all;
  for (const EnergyColumn& e : kEnergyColumns) all[std::string(e.name)] = f.frame->energy.*e.member;
  return all;
}

py::object cell(const HeldFrame& f) {
  const FrameCell& c = f.frame->cell;
  if (!c.deforms) return py::none();
  py::dict out;
  out["low"] = tuple_of(c.low);
  out["length"] = tuple_of(c.length);
  out["first_length"] = tuple_of(c.first_length);
  out["volume"] = c.volume;
  out["strain_rate"] = tuple_of(c.strain_rate);
  out["contact_stress"] = tuple_of(c.contact_stress);
  out["kinetic_stress"] = tuple_of(c.kinetic_stress);
  return out;
}

py::bytes picture(const HeldFrame& f, int width, int height, const std::string& colour, bool contacts, bool walls) {
  require(f, &FrameChoice::x, "x");
  require(f, &FrameChoice::radius, "radius");
  RenderOptions options = f.look;
  options.width = width;
  options.height = height;
  options.colour_by = colour;
  options.contacts = contacts;
  options.walls = walls;
  std::string png;
  {
    const py::gil_scoped_release free;
    png = encode_png(render(*f.frame, options));
  }
  return png;
}

}  // namespace

FrameChoice choice_of(const std::vector<std::string>& fields) {
  if (fields.empty()) return {};
  FrameChoice choice = FrameChoice::none();
  for (const std::string& field : fields) {
    bool known = field == "id";
    for_each_part([&](const char* name, bool FrameChoice::*part, auto) {
      if (field != name) return;
      choice.*part = known = true;
    });
    if (!known) {
      const std::vector<std::string> names = part_names();
      throw InputError("frame", field,
                       fmt::format("no such part of a frame{}; there are: id, {}", suggestion(field, names),
                                   fmt::join(names, ", ")));
    }
  }
  if (choice.contacts) choice.coordination = true;
  if (choice.contacts || choice.walls) choice.x = choice.radius = true;
  return choice;
}

void add_frame(py::module_& m) {
  const auto number = [](auto Frame::*member) { return [member](const HeldFrame& f) { return (*f.frame).*member; }; };
  py::class_<HeldFrame>(m, "Frame", "The visible state at an instant.")
      .def_property_readonly("title", number(&Frame::title))
      .def_property_readonly("stage", number(&Frame::stage))
      .def_property_readonly("time", number(&Frame::time))
      .def_property_readonly("dt", number(&Frame::dt))
      .def_property_readonly("step", number(&Frame::step))
      .def_property_readonly("lost", number(&Frame::lost))
      .def_property_readonly("removed", number(&Frame::removed))
      .def_property_readonly("inserted", number(&Frame::inserted))
      .def_property_readonly("materials", number(&Frame::materials))
      .def_property_readonly("groups", number(&Frame::groups))
      .def_property_readonly("bond_sets", number(&Frame::bond_sets))
      .def_property_readonly(
          "fields",
          [](const HeldFrame& f) {
            std::vector<std::string> names{"id"};
            for_each_part([&](const char* name, bool FrameChoice::*part, auto member) {
              if constexpr (!std::is_null_pointer_v<decltype(member)>)
                if (f.has.*part && ((*f.frame).particles.*member).size() == f.frame->particles.id.size())
                  names.emplace_back(name);
            });
            return names;
          })
      .def("__len__", [](const HeldFrame& f) { return f.frame->particles.id.size(); })
      .def("array", &particle_array, py::arg("name"))
      .def("contacts", &contacts)
      .def("bonds", &bonds)
      .def("breaks", &breaks)
      .def("walls", &walls)
      .def("energy", &energy)
      .def("cell", &cell)
      .def("hash",
           [](const HeldFrame& f) {
             if (!f.exact) throw Error("frames of files are rounded; summary[\"state_hash\"] has the hash of the run");
             for_each_part([&](const char* name, bool FrameChoice::*part, auto) { require(f, part, name); });
             return state_hash(*f.frame);
           })
      .def("picture", &picture, py::arg("width"), py::arg("height"), py::arg("colour"), py::arg("contacts"),
           py::arg("walls"));
}

}  // namespace areia::python
