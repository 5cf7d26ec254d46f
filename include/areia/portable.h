// Marks a function that runs on the processor and on an accelerator alike. It uses IEEE operations and nothing of the
// C library but the square root, so that it gives the same bits on both (nvcc: -fmad=false).
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define AREIA_PORTABLE __host__ __device__
#else
#define AREIA_PORTABLE
#endif
