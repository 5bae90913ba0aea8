// What an experiment says on standard output: its claim, and a table of the results.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/program/measurements.h"
#include "experiments/program/report.h"

namespace harness {

/// The text on one line, whatever the line breaks in its source.
std::string one_line(const char* text);

/// Title, claim, source, prediction, method, and what would refute it.
void print_claim(std::ostream& stream, const Claim& claim);

/// "label  text", wrapped and indented like the paragraphs of the claim.
void print_paragraph(std::ostream& stream, const std::string& label, const std::string& text);

/// A row for every measurement. Counts: each beside its closed form. Times: their median, throughput, and
/// ratio to a copy of the same n.
void print_table(std::ostream& stream, const std::vector<Measurement>& measurements, const Rows& rows);

/// 1234567 as 1,234,567.
std::string with_commas(double number);

}  // namespace harness
