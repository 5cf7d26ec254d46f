// Keys of the loads on a periodic cell, domain.loading.
#include "io/schema/parts.h"

namespace areia::io {
namespace {

using Control = CellLoad::Control;

// The key that is given says what is controlled.
Key<CellLoad> chooses(Control control, Key<CellLoad> f) {
  f.read = [control, read = f.read](CellLoad& l, const toml::node& node, Reader& r, const std::string& path) {
    l.control = control;
    read(l, node, r, path);
  };
  f.preset.clear();  // one of the two is given
  return written_if([control](const CellLoad& l) { return l.control == control; }, std::move(f));
}

bool holds_stress(const CellLoad& l) { return l.control == Control::stress; }

}  // namespace

const Table<CellLoad>& cell_load_table() {
  using L = CellLoad;
  static const Table<L> table = [] {
    Table<L> t{
        "A load that deforms the periodic box along some of its axes. Shortening and compression count positive.",
        {flags<L>("axes",
                  {{"x", [](L& l) -> bool& { return l.axes[0]; }},
                   {"y", [](L& l) -> bool& { return l.axes[1]; }},
                   {"z", [](L& l) -> bool& { return l.axes[2]; }}},
                  {.required = true, .text = "Axes that it acts on. Where several loads act, the last one leads."}),
         chooses(Control::strain_rate,
                 number("strain_rate", &L::strain_rate,
                        {.unit = "1/s", .text = "Rate of shortening over the present length; 0 holds the length."})),
         chooses(Control::stress,
                 number("stress", &L::stress,
                        {.unit = "Pa", .text = "Normal stress that is held, by contacts and by motion."})),
         written_if(
             holds_stress,
             number("max_rate", &L::max_rate,
                    {.unit = "1/s",
                     .range = kPositive,
                     .word = "auto",
                     .text = "`stress`: largest strain rate; auto: an inertial number of 1e-3 at that stress."})),
         written_if(holds_stress,
                    number("gain", &L::gain,
                           {.range = kPositive,
                            .text = "`stress`: how fast it follows, times the gain that is chosen from the stiffness "
                                    "of the contacts and the step."}))},
        {{{"strain_rate", "stress"}, true}, {{"start", "start_stage"}, false}, {{"stop", "stop_stage"}, false}}};
    for (const Key<Interval>& f : interval_table().keys) t.keys.push_back(lifted(f, &L::when));
    return t;
  }();
  return table;
}

}  // namespace areia::io
