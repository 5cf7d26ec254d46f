// All of the public interface.
#pragma once
#include "areia/case.h"
#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/frame.h"
#include "areia/observe.h"
#include "areia/simulation.h"
#include "areia/version.h"
