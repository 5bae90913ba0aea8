// Double precision: sums, products, products with sums, quotients and roots rounded as IEEE 754 says.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

#define ROUNDINGS(FORM, I) FORM(I ".rn.f64"); FORM(I ".rz.f64"); FORM(I ".rm.f64"); FORM(I ".rp.f64")
ROUNDINGS(L2, "add");
ROUNDINGS(L2, "sub");
ROUNDINGS(L2, "mul");
ROUNDINGS(L3, "fma");
ROUNDINGS(L2, "div");
ROUNDINGS(L1, "rcp");
ROUNDINGS(L1, "sqrt");
L2("min.f64"); L2("max.f64"); L1("abs.f64"); L1("neg.f64");

#define D(NAME, ...)                                                                              \
    OPERATION(longs, u64, u64, NAME, const double x = __longlong_as_double(a);                    \
              const double y = __longlong_as_double(b); const double z = __longlong_as_double(c); \
              d = __double_as_longlong(__VA_ARGS__) + 0 * __double_as_longlong(y + z))
D("x+1.5", x + 1.5); D("x*-3.25", x * -3.25); D("x*0.1", x * 0.1); D("fma(x,y,2)", fma(x, y, 2.0));
D("fma(x,3,z)", fma(x, 3.0, z)); D("|x|+|y|", fabs(x) + fabs(y)); D("|x|-y", fabs(x) - y); D("-x-y", -x - y);
D("-x*y", -x * y); D("|x|*y", fabs(x) * y); D("fma(-x,y,-z)", fma(-x, y, -z)); D("x<y?x:z", x < y ? x : z);
D("fmin(|x|,-y)", fmin(fabs(x), -y)); D("floor", floor(x)); D("ceil", ceil(x)); D("trunc", trunc(x));
D("rint", rint(x));
D("round", round(x)); D("fmod", fmod(x, y)); D("nextafter", nextafter(x, y)); D("fdim", fdim(x, y));
D("fmax(x,0)", fmax(x, 0.0));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
