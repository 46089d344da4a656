#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE at, SIZE_T size){return SystemFunction036(at, (ULONG)size);}
