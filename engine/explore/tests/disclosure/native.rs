//! Lists of C, C++, CUDA and Objective-C.

use super::{Case, each};

pub const CASES: &[Case] = &[
    ("a.c", "Functions", 20, "... and {} more functions", |n| {
        each(n, |i| format!("int zq{i}(void);\n"))
    }),
    ("a.c", "Structs", 10, "... and {} more structs", |n| {
        each(n, |i| format!("struct zq{i} {{ int a; }};\n"))
    }),
    ("a.c", "Enums", 10, "... and {} more enums", |n| {
        each(n, |i| format!("enum zq{i} {{ A{i} }};\n"))
    }),
    ("a.c", "Typedefs", 15, "... and {} more typedefs", |n| {
        each(n, |i| format!("typedef int zq{i};\n"))
    }),
    ("a.c", "Macros", 15, "... and {} more macros", |n| each(n, |i| format!("#define ZQ{i} 1\n"))),
    ("a.c", "Global Variables", 15, "... and {} more globals", |n| {
        each(n, |i| format!("int zq{i};\n"))
    }),
    ("a.c", "Functions, parameters", 10, ", ...)", |n| {
        format!("void f({}int zq0) {{}}\n", each(n - 1, |i| format!("int zq{}, ", i + 1)))
    }),
    ("a.c", "Structs, fields", 15, "... and {} more fields", |n| {
        format!("struct s {{ {}}};\n", each(n, |i| format!("int zq{i}; ")))
    }),
    ("a.c", "Enums, values", 10, ", ... }", |n| {
        format!("enum e {{ {}}};\n", each(n, |i| format!("zq{i}, ")))
    }),
    ("a.cpp", "Includes C++ Standard Library", 8, "... and {} more", |n| {
        each(n, |i| format!("#include <vector/zq{i}>\n"))
    }),
    ("a.cpp", "Includes C Standard Library", 5, "... and {} more", |n| {
        each(n, |i| format!("#include <stdio.h/zq{i}>\n"))
    }),
    ("a.cpp", "Includes System", 5, "... and {} more", |n| {
        each(n, |i| format!("#include <zq{i}.h>\n"))
    }),
    ("a.cpp", "Includes Local", 5, "... and {} more", |n| {
        each(n, |i| format!("#include \"zq{i}.h\"\n"))
    }),
    ("a.cpp", "Type Aliases", 5, "... and {} more", |n| {
        each(n, |i| format!("using Zq{i} = int;\n"))
    }),
    ("a.cpp", "Classes", 15, "... and {} more classes", |n| {
        each(n, |i| format!("class Zq{i} {{}};\n"))
    }),
    ("a.cpp", "Structs", 15, "... and {} more structs", |n| {
        each(n, |i| format!("struct Zq{i} {{}};\n"))
    }),
    ("a.cpp", "Template Functions", 15, "... and {} more templates", |n| {
        each(n, |i| format!("template <class T> T zq{i}(T a) {{ return a; }}\n"))
    }),
    ("a.cpp", "Functions", 15, "... and {} more functions", |n| {
        each(n, |i| format!("int zq{i}() {{ return 0; }}\n"))
    }),
    ("a.cpp", "Classes, methods", 5, ", ...", |n| {
        format!("class C {{ {}}};\n", each(n, |i| format!("void zq{i}(); ")))
    }),
    ("a.cpp", "Structs, fields", 3, ", ...", |n| {
        format!("struct S {{ {}}};\n", each(n, |i| format!("int zq{i}; ")))
    }),
    ("a.cpp", "Structs, methods", 3, ", ...", |n| {
        format!("struct S {{ {}}};\n", each(n, |i| format!("void zq{i}(); ")))
    }),
    ("a.cu", "Includes CUDA", 5, "(+{} more)", |n| {
        each(n, |i| format!("#include <cuda_zq{i}.h>\n"))
    }),
    ("a.cu", "Includes Libraries", 5, "(+{} more)", |n| {
        each(n, |i| format!("#include <cublas_zq{i}.h>\n"))
    }),
    ("a.cu", "Includes C++", 5, "(+{} more)", |n| {
        each(n, |i| format!("#include <vector/zq{i}>\n"))
    }),
    ("a.cu", "Includes Local", 5, "(+{} more)", |n| each(n, |i| format!("#include \"zq{i}.h\"\n"))),
    ("a.cu", "Kernels", 20, "... and {} more", |n| {
        each(n, |i| format!("__global__ void zq{i}() {{}}\n"))
    }),
    ("a.cu", "Device Functions", 20, "... and {} more", |n| {
        each(n, |i| format!("__device__ int zq{i}() {{ return 0; }}\n"))
    }),
    ("a.cu", "Host Functions", 20, "... and {} more", |n| {
        each(n, |i| format!("__host__ int zq{i}() {{ return 0; }}\n"))
    }),
    ("a.cu", "Constant Memory", 20, "... and {} more", |n| {
        each(n, |i| format!("__constant__ float zq{i};\n"))
    }),
    ("a.cu", "Structs/Classes", 20, "... and {} more", |n| {
        each(n, |i| format!("struct Zq{i} {{}};\n"))
    }),
    ("a.cu", "Shared Memory", 20, "... and {} more", |n| {
        format!(
            "__global__ void k() {{\n{}}}\n",
            each(n, |i| format!("__shared__ float zq{i}[8];\n"))
        )
    }),
    ("a.cu", "Kernel Launches", 20, "... and {} more", |n| {
        format!("void f() {{\n{}}}\n", each(n, |i| format!("zq{i}<<<1, 2>>>();\n")))
    }),
    ("a.cu", "CUDA API Calls", 15, "... and {} more", |n| {
        format!("void f() {{\n{}}}\n", each(n, |i| format!("cudaZq{i}();\n")))
    }),
    ("a.m", "Local imports", 5, "... and {} more", |n| {
        each(n, |i| format!("#import \"zq{i}.h\"\n"))
    }),
    ("a.m", "Interfaces", 10, "... and {} more interfaces", |n| {
        each(n, |i| format!("@interface Zq{i}\n@end\n"))
    }),
    ("a.m", "Categories", 10, "... and {} more categories", |n| {
        each(n, |i| format!("@interface A (Zq{i})\n@end\n"))
    }),
    ("a.m", "Protocols", 10, "... and {} more protocols", |n| {
        each(n, |i| format!("@protocol Zq{i}\n@end\n"))
    }),
    ("a.m", "Implementations", 10, "... and {} more implementations", |n| {
        each(n, |i| format!("@implementation Zq{i}\n@end\n"))
    }),
    ("a.m", "Properties", 10, "... and {} more properties", |n| {
        format!("@interface A\n{}@end\n", each(n, |i| format!("@property int zq{i};\n")))
    }),
    ("a.m", "Methods Class methods (+)", 5, "... and {} more", |n| {
        format!("@interface A\n{}@end\n", each(n, |i| format!("+ (int)zq{i};\n")))
    }),
    ("a.m", "Methods Instance methods (-)", 10, "... and {} more", |n| {
        format!("@interface A\n{}@end\n", each(n, |i| format!("- (int)zq{i};\n")))
    }),
];
