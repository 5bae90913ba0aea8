// Typed tests of many types are two programs of one source: `make test` tries some of the types,
// `make test-rest` the others. On a GPU one program tries all.
#pragma once
#include <gtest/gtest.h>

template <class Some, class Others>
struct SomeOrOthers;
template <class... Some, class... Others>
struct SomeOrOthers<testing::Types<Some...>, testing::Types<Others...>> {
#if defined(TEST_SOME_TYPES)
    using Tried = testing::Types<Some...>;
#elif defined(TEST_OTHER_TYPES)
    using Tried = testing::Types<Others...>;
#else
    using Tried = testing::Types<Some..., Others...>;
#endif
};

template <class Some, class Others>
using SomeThenOthers = typename SomeOrOthers<Some, Others>::Tried;
