// How many passes over the 32 banks a warp's request to shared memory takes: the rule of the SIMT machine,
// simt/requests.cpp, which an H200's counters confirmed.

const BANKS = 32;

/** Of these accesses ({lane, word}, `words` 4-byte words each): the distinct words in each bank. */
function banksOf(accesses, words) {
  const banks = Array.from({length: BANKS}, () => new Set());
  for (const {word} of accesses)
    for (let next = word; next < word + words; ++next) banks[next % BANKS].add(next);
  return banks;
}

const deepest = banks => Math.max(...banks.map(bank => bank.size));
const ideal = banks => Math.ceil(sum(banks.map(bank => bank.size)) / BANKS);

/** Whether active lanes whose numbers differ only in the bit `distance` access the same word. */
function pairsShare(accesses, distance) {
  const words = new Map(accesses.map(({lane, word}) => [lane, word]));
  return accesses.every(({lane, word}) => (words.get(lane ^ distance) ?? word) === word);
}

/** The parts of a warp that are served one after another: 8-byte accesses take half a warp at a time. */
function partsOf(accesses, words) {
  if (words === 1) return [accesses];
  const together =
      deepest(banksOf(accesses, words)) <= 1 && (pairsShare(accesses, 1) || pairsShare(accesses, 2));
  return together ? [accesses] :
                    [accesses.filter(({lane}) => lane < 16), accesses.filter(({lane}) => lane >= 16)];
}

/** Passes that the request takes, and those beyond the fewest possible: its conflicts. */
function wavefronts(accesses, words) {
  const parts = partsOf(accesses, words).map(part => banksOf(part, words));
  const taken = sum(parts.map(deepest));
  return {taken, conflicts: taken - sum(parts.map(ideal))};
}
