#!/bin/sh
# Makes the figures of docs/impact-figures.md from the case files in examples/impact.
#   docs/figures/impact/make.sh [areia]        default: build/areia; run from anywhere
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
areia=${1:-$root/build/areia}
cases=$root/examples/impact
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run CASE SETTING...: the case with its settings, results and plots in $work/run.
run() {
  case=$1
  shift
  rm -rf "$work/run"
  "$areia" impact run "$cases/$case.toml" --out "$work/run" --plot --set "$@" >"$work/log"
}
# take FIGURE FILE: a picture of the last run becomes a figure.
take() { cp "$work/run/$2" "$here/fig-$1.svg"; }

# --- chapter 3: the bar --------------------------------------------------------------------------------------------
bar() {  # FIGURE ANIMATION TITLE SETTING...
  figure=$1 animation=$2 title=$3
  shift 3
  run bar "title=\"$title\"" "$@"
  take "$figure" motion.svg
  take "$animation" strobe.svg
}
bar 3.2 3.4a 'Newton without friction, e = 1' model=newton 'params={e=1}' run.t_end=0.8
bar 3.3 3.4b 'Newton without friction, e = 0.8' model=newton 'params={e=0.8}' run.t_end=0.8
bar 3.5 3.6 'Brach, e = 1, mu = 0, e_m = -1' model=brach 'params={e=1,mu=0,em=-1}' run.t_end=0.8
bar 3.7 3.8 'Brach, e = 1, mu = 0, e_m = 0.1' model=brach 'params={e=1,mu=0,em=0.1}' run.t_end=1
bar 3.9 3.10a 'Kane, e = 1, mu = 1' model=kane 'params={e=1,mu=1}' run.t_end=0.9
bar 3.11 3.10b 'Kane, e = 1, mu = 0.4' model=kane 'params={e=1,mu=0.4}' run.t_end=0.9
bar 3.13 3.14 'Glocker-Pfeiffer 1, e = 1, mu = 1' model=gp1 'params={e=1,mu=1}' run.t_end=0.9
bar 3.15 3.16 'Glocker-Pfeiffer 1, e = 1, mu = 0.4' model=gp1 'params={e=1,mu=0.4}' run.t_end=0.9
bar 3.19 3.20 'Glocker-Pfeiffer 2, e = e_t = nu = 1, mu = 0.4' model=gp2 'params={e=1,mu=0.4,et=1,nu=1}' run.t_end=0.9
"$areia" impact characteristic --overwrite --mu 0.5 --out "$here/fig-3.12.svg" --title 'Glocker-Pfeiffer 1: one stage'
"$areia" impact characteristic --overwrite --mu 0.5 --et 0.5 --nu 0.5 --ITC 0.3 --out "$here/fig-3.17.svg" \
  --title 'Glocker-Pfeiffer 2: expansion after I_TC > 0'
"$areia" impact characteristic --overwrite --mu 0.5 --et 0.5 --nu 0.5 --ITC=-0.3 --out "$here/fig-3.18.svg" \
  --title 'Glocker-Pfeiffer 2: expansion after I_TC < 0'
run bar_corner 'title="Direct impact, mu = 0.4"' start.vx=0 model=wm_poisson params.mu=0.4 'diagram.models=["gp1"]'
take 3.22a diagrams/0000.svg
run bar_corner 'title="Direct impact, mu = 1"' start.vx=0 model=wm_poisson params.mu=1 'diagram.models=["gp1"]'
take 3.22b diagrams/0000.svg
run bar_corner 'title="Oblique impact, mu = e = 1"'
take 3.23 diagrams/0000.svg

# --- chapter 4: the ball -------------------------------------------------------------------------------------------
run ball 'title="Wang-Mason"' model=wm_poisson 'params={e=1,mu=1}'
take 4.2 path.svg
run ball 'title="Glocker-Pfeiffer, e_t = nu = 0"' params.et=0 params.nu=0
take 4.3 path.svg
take 4.6 spin.svg
run ball 'title="Glocker-Pfeiffer, e_t = nu = 1"'
take 4.4 cone.svg
take 4.5 path.svg
take 4.7 spin.svg

# --- chapter 5: C-S ------------------------------------------------------------------------------------------------
cs='e=1,mu=0,et=0,nu=0'
bar 5.1 5.2 'C-S, e = 1, e_mC = e_mE = -1' model=cs "params={$cs,emC=-1,emE=-1}" run.t_end=0.8
bar 5.3 5.4 'C-S, e = 1, e_mC = e_mE = 0.5' model=cs "params={$cs,emC=0.5,emE=0.5}" run.t_end=0.8
run ball 'title="C-S, e_mC = e_mE = -1, e_t = nu = 0"' model=cs 'params={e=1,mu=1,et=0,nu=0,emC=-1,emE=-1}'
take 5.5 path.svg
run ball 'title="C-S, e_mC = e_mE = -1, e_t = nu = 1"' model=cs 'params={e=1,mu=1,et=1,nu=1,emC=-1,emE=-1}'
take 5.6 path.svg
run ball 'title="C-S, e_mC = -1, e_mE = -0.5, e_t = nu = 1"' model=cs 'params={e=1,mu=1,et=1,nu=1,emC=-1,emE=-0.5}'
take 5.7 path.svg

# --- of our own: chatter, the sweep of friction ----------------------------------------------------------------------
run form_defaults 'title="Defaults of the source'"'"'s program"'
take chatter motion.svg
"$areia" impact compare --sweep mu=0:1.2:0.02 --e 1 --out "$work/compare" >/dev/null
cp "$work/compare/compare.svg" "$here/compare-friction.svg"
