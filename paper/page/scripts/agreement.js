// The cells in which counts and counters differ, filtered.
{
  const section = sectionOf("agreement"), form = section.querySelector("form"),
        {columns} = dataOf("agreement");
  filterRows(
      form, [...section.querySelectorAll("tbody tr")],
      (row, name) => row.cells[columns.indexOf(name)].textContent);
  form.addEventListener("input", () => {
    section.querySelector(".cells").open = true;
  });
}
