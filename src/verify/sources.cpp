#include "verify/sources.h"

namespace areia::verify {

const std::vector<Work>& works() {
  static const std::vector<Work> all{
      {"000", "Campello (2016)",
       "E. M. B. Campello, Um modelo computacional para o estudo de materiais granulares (a computational model for "
       "the "
       "study of granular materials), thesis for the title of Livre-Docente, Escola Politécnica da Universidade de São "
       "Paulo, 2016",
       ""},
      {"001", "Bandeira and Zohdi (2018)",
       "A. A. Bandeira and T. I. Zohdi, 3D numerical simulations of granular materials using DEM models considering "
       "rolling phenomena, Computational Particle Mechanics, 2018",
       "10.1007/s40571-018-0200-0"},
      {"002", "Cataldo and Sampaio (about 2001)",
       "E. Cataldo and R. Sampaio, Modelagem e simulação de colisões planas entre corpos rígidos (modelling and "
       "simulation of planar collisions between rigid bodies), Universidade Federal Fluminense and Pontifícia "
       "Universidade Católica do Rio de Janeiro, undated (it cites work of 2001)",
       ""},
      {"003", "Proposta de modelagem GBPM",
       "Proposta de modelagem GBPM (a proposal for the geometric bonded particle model), chapter 5 of a thesis in "
       "Portuguese whose title page, and so its author and year, is not at hand",
       ""},
      {"004", "Souza Júnior (2016)",
       "B. G. Souza Júnior, Manual Científico do PyParticles: simulador numérico de partículas (scientific manual of "
       "PyParticles, a numerical simulator of particles), version 1.0, 14 December 2016",
       ""},
      {"Chung and Ooi 2011", "Chung and Ooi (2011)",
       "Y. C. Chung and J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at particle impact "
       "level, Granular Matter 13, 643-656, 2011",
       "10.1007/s10035-011-0277-0"},
      {"Enskog 1922", "Enskog (1922)",
       "D. Enskog, Kinetische Theorie der Wärmeleitung, Reibung und Selbstdiffusion in gewissen verdichteten Gasen und "
       "Flüssigkeiten, Kungliga Svenska Vetenskapsakademiens Handlingar 63, no. 4, 1922",
       ""},
      {"Haff 1983", "Haff (1983)",
       "P. K. Haff, Grain flow as a fluid-mechanical phenomenon, Journal of Fluid Mechanics 134, 401-430, 1983",
       "10.1017/S0022112083003419"},
      {"Hertz 1882", "Hertz (1882)",
       "H. Hertz, Über die Berührung fester elastischer Körper, Journal für die reine und angewandte Mathematik 92, "
       "156-171, 1882",
       ""},
      {"van Noije and Ernst 1998", "van Noije and Ernst (1998)",
       "T. P. C. van Noije and M. H. Ernst, Velocity distributions in homogeneous granular fluids: the free and the "
       "heated case, Granular Matter 1, 57-64, 1998",
       "10.1007/s100350050009"},
      {"theory manual", "theory manual of Areia",
       "Theory manual of Areia, docs/theory.md: closed forms derived there, section by section", ""},
      {"docs/impact.md", "planar impacts of Areia, docs/impact.md",
       "Planar impacts, docs/impact.md: equations of the collision laws, corrected where a source is wrong", ""},
      {"docs/impact-lab.md", "impact lab of Areia, docs/impact-lab.md",
       "Impact lab, docs/impact-lab.md: systems, motion between impulses, rest", ""},
      {"docs/hard-spheres.md", "hard spheres of Areia, docs/hard-spheres.md",
       "Hard spheres, docs/hard-spheres.md: the events engine and the kinetic theory it is held against", ""},
  };
  return all;
}

namespace {

// A key stands by itself: the 000 of 1000 or of 3.000 is none.
std::size_t find_key(const std::string& text, const std::string& key, std::size_t from) {
  for (std::size_t at = text.find(key, from); at != std::string::npos; at = text.find(key, at + 1)) {
    const auto digit = [&](std::size_t k) {
      return k < text.size() && (text[k] == '.' || (text[k] >= '0' && text[k] <= '9'));
    };
    const bool number = key[0] >= '0' && key[0] <= '9';
    if (!number || ((at == 0 || !digit(at - 1)) && !digit(at + key.size()))) return at;
  }
  return std::string::npos;
}

}  // namespace

std::vector<const Work*> works_in(const std::string& source) {
  std::vector<const Work*> found;
  for (const Work& w : works())
    if (find_key(source, w.key, 0) != std::string::npos) found.push_back(&w);
  return found;
}

std::string source_text(const std::string& source) {
  std::string text = source;
  for (const Work& w : works())
    for (std::size_t at = find_key(text, w.key, 0); at != std::string::npos;
         at = find_key(text, w.key, at + w.name.size()))
      text.replace(at, w.key.size(), w.name);
  return text;
}

}  // namespace areia::verify
