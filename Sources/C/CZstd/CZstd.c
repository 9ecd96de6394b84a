#include "include/CZstd.h"
