/* The version: `show version`, --version, the manual pages. */
#ifndef SM_VERSION_H
#define SM_VERSION_H

#define SMDBG_VERSION "0.1.0"

#endif
