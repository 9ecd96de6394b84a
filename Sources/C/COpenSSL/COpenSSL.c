#include "include/COpenSSL.h"
