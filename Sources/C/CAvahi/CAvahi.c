#include "include/CAvahi.h"
