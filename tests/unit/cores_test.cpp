#include "core/cores.h"

#include <gtest/gtest.h>

using namespace areia;

TEST(Cores, TheLeastOfAllLimits) {
  EXPECT_EQ(cores_within(16, "", "", "").count, 16);
  EXPECT_EQ(cores_within(16, "", "", "").reason, "all 16 cores");
  EXPECT_EQ(cores_within(16, "4", "", "").count, 4);
  EXPECT_EQ(cores_within(16, "4", "", "").reason, "OMP_NUM_THREADS");
  EXPECT_EQ(cores_within(16, "8,2", "6", "").count, 6);
  EXPECT_EQ(cores_within(16, "8,2", "6", "").reason, "SLURM_CPUS_PER_TASK");
  EXPECT_EQ(cores_within(4, "64", "", "").count, 4);
  EXPECT_EQ(cores_within(16, "", "", "max 100000").count, 16);
  EXPECT_EQ(cores_within(16, "", "", "250000 100000").count, 3);
  EXPECT_EQ(cores_within(16, "", "", "200000 100000").count, 2);
  EXPECT_EQ(cores_within(16, "", "", "5000 100000").count, 1);
}

TEST(Cores, WhatIsNoNumberSaysNothing) {
  for (const char* text : {"0", "-3", "many", "4x", " ", "99999999999999999999"})
    EXPECT_EQ(cores_within(8, text, text, text).count, 8) << text;
  EXPECT_EQ(cores_within(0, "", "", "").count, 1);
}
