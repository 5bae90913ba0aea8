// How many passes over the 32 banks a warp's request to shared memory takes: the rule of the SIMT machine,
// simt/count/costs.cpp, which an H200's counters confirmed.

const BANKS = 32;

/** Of these accesses ({lane, word}, `words` 4-byte words each): the distinct words in each bank. */
function banksOf(accesses, words) {
  const banks = Array.from({length: BANKS}, () => new Set());
  for (const {word} of accesses)
    for (let next = word; next < word + words; ++next) banks[next % BANKS].add(next);
  return banks;
}

const deepest = banks => Math.max(...banks.map(bank => bank.size));
/** Whether active lanes whose numbers differ only in the bit `distance` access the same word. */
function pairsShare(accesses, distance) {
  const words = new Map(accesses.map(({lane, word}) => [lane, word]));
  return accesses.every(({lane, word}) => (words.get(lane ^ distance) ?? word) === word);
}

/**
 * The parts of a warp that are served one after another: accesses of 8 bytes take half a warp at a time, of
 * 16 a quarter. Two neighbouring parts of a load are served together if they need one pass and lanes share
 * words.
 */
function partsOf(accesses, words, isStore) {
  const width = BANKS / words, found = [];
  const lanes = (begin, count) => accesses.filter(({lane}) => lane >= begin && lane < begin + count);
  for (let begin = 0; begin < BANKS; begin += 2 * width) {
    const both = lanes(begin, 2 * width);
    const together = words > 1 && !isStore && deepest(banksOf(both, words)) <= 1 &&
        (pairsShare(both, 1) || pairsShare(both, 2));
    found.push(...(together ? [both] : [lanes(begin, width), lanes(begin + width, width)]));
  }
  return found.filter(part => part.length);
}

/** Passes that the request takes, and those beyond the fewest possible: its conflicts. */
function wavefronts(accesses, words, isStore) {
  const taken = sum(partsOf(accesses, words, isStore).map(part => deepest(banksOf(part, words))));
  return {taken, conflicts: taken - Math.min(taken, Math.ceil(accesses.length * words / BANKS))};
}
