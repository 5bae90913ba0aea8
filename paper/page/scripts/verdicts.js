// The table of verdicts, filtered by the two answers.
{
  const section = sectionOf("verdicts");
  filterRows(
      section.querySelector("form"), [...section.querySelectorAll("tbody tr")],
      (row, name) => row.dataset[name]);
}
