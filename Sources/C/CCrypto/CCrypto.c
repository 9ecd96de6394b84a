#include "include/CCrypto.h"
