package dev.berth.traces.input;

import static com.google.common.base.Preconditions.checkState;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import dev.berth.core.error.NearestName;
import dev.berth.traces.internal.util.Cells;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of values that are separated by commas or another character. Its fields are accessed by
 * column name. Each row is one line: a quoted field must end on its line.
 */
public final class CsvTable implements EntryReader<CsvTable.Row> {

  private static final ObjectReader ROW =
      CsvMapper.builder()
          .enable(CsvParser.Feature.TRIM_SPACES)
          .disable(CsvParser.Feature.ALLOW_TRAILING_COMMA)
          .build()
          .readerForListOf(String.class);

  /** The length of a list of names in a message, which may be shortened further. */
  private static final int LONGEST_LIST = 1_000;

  private static final char COMMA = ',';
  private static final String HEADER = "header";
  private static final int LONG_NAME = 7;
  private static final int TYPOS = 2; // of a long name

  private final Lines lines;
  private final char separator;
  private final List<String> header;
  private final Map<String, Integer> columns = new HashMap<>();
  private final String columnNames; // for messages

  private CsvTable(Lines lines, char separator, List<String> header) {
    this.lines = lines;
    this.separator = separator;
    this.header = header;
    this.columnNames = joined(header);
  }

  /** Returns the names, up to a length: a header can be as long as a line. */
  private static String joined(List<String> header) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < header.size() && names.length() < LONGEST_LIST; i++) {
      names.append(i == 0 ? "" : ",").append(header.get(i));
    }
    return names.length() > LONGEST_LIST ? names.substring(0, LONGEST_LIST) : names.toString();
  }

  /** Opens a file that has no header and whose columns are known. */
  public static CsvTable withoutHeader(Input input, List<String> columns) {
    CsvTable table = new CsvTable(input.open(), COMMA, columns);
    columns.forEach(name -> table.columns.put(name, table.columns.size()));
    return table;
  }

  /**
   * Opens a file with a header. The header names all required columns, and otherwise only optional
   * ones, in any order.
   *
   * @throws InputException if the file cannot be opened or the header breaks these rules
   */
  public static CsvTable with(Input input, List<String> required, List<String> optional) {
    return read(input, COMMA, required, optional, false);
  }

  /**
   * Opens a file with a header like {@link #with}, except that the header may name other columns,
   * too. If an optional name is empty, the header may have a column without a name, such as the
   * index that pandas writes.
   *
   * @throws InputException if the file cannot be opened or the header breaks these rules
   */
  public static CsvTable withOtherColumns(
      Input input, List<String> required, List<String> optional) {
    return read(input, COMMA, required, optional, true);
  }

  /**
   * Opens a file with a header like {@link #withOtherColumns(Input, List, List)}, whose fields end
   * at another character than a comma. A quotation mark is part of its field.
   *
   * @throws InputException if the file cannot be opened or the header breaks these rules
   */
  public static CsvTable withOtherColumns(
      Input input, char separator, List<String> required, List<String> optional) {
    return read(input, separator, required, optional, true);
  }

  private static CsvTable read(
      Input input, char separator, List<String> required, List<String> optional, boolean others) {
    Lines lines = input.open();
    try {
      return read(lines, separator, required, optional, others);
    } catch (RuntimeException failure) {
      lines.close();
      throw failure;
    }
  }

  private static CsvTable read(
      Lines lines, char separator, List<String> required, List<String> optional, boolean others) {
    String first = lines.next();
    if (first == null) {
      throw lines.location().error("must be a header, but the file is empty");
    }
    SourceLocation location = lines.location();
    CsvTable table =
        new CsvTable(
            lines,
            separator,
            split(location, separator, first).stream().map(String::strip).toList());
    List<String> known =
        Stream.concat(required.stream(), optional.stream())
            .filter(name -> !name.isEmpty())
            .toList();
    for (String name : table.header) {
      Field field = new Field(location, HEADER, name);
      String column = optional.contains(name) ? name : field.required();
      if (table.columns.putIfAbsent(column, table.columns.size()) != null) {
        throw field.error("must not name a column twice");
      }
    }
    List<String> missing =
        required.stream().filter(name -> !table.columns.containsKey(name)).toList();
    checkNames(new Field(location, HEADER, first), table.header, known, missing, others);
    if (!missing.isEmpty()) {
      throw new Field(location, HEADER, first)
          .error(
              "must name the column%s %s"
                  .formatted(missing.size() == 1 ? "" : "s", String.join(", ", missing)));
    }
    return table;
  }

  /** Refuses names that are meant to be others, or are not known where that is required. */
  private static void checkNames(
      Field all, List<String> header, List<String> known, List<String> missing, boolean others) {
    Map<String, String> meant = new LinkedHashMap<>();
    for (String name : header) {
      if (!known.contains(name)) {
        Optional<String> column = missingFor(name, missing).or(() -> misspelled(name, known));
        column.ifPresent(each -> meant.put(name, each));
        if (column.isEmpty() && !others) {
          throw new Field(all.location(), HEADER, name)
              .error("is not a column, must be one of " + String.join(", ", known));
        }
      }
    }
    if (meant.size() == 1) {
      meant.forEach(
          (name, column) -> {
            throw new Field(all.location(), HEADER, name)
                .error("is not a column", Optional.of("you meant \"%s\"".formatted(column)));
          });
    }
    if (!meant.isEmpty()) {
      throw all.error(
          "has %s names that are no columns".formatted(meant.size()),
          Optional.of(
              meant.entrySet().stream()
                  .map(each -> "\"%s\" by \"%s\"".formatted(each.getValue(), each.getKey()))
                  .collect(Collectors.joining(", ", "you meant ", ""))));
    }
  }

  /** Returns the missing column that a name resembles, or has as a word. */
  private static Optional<String> missingFor(String name, List<String> missing) {
    String lower = name.toLowerCase(Locale.ROOT);
    return missing.stream()
        .filter(each -> normalized(each).equals(normalized(name)) || hasWord(lower, each))
        .findFirst()
        .or(() -> NearestName.of(name, missing));
  }

  private static boolean hasWord(String text, String word) {
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      int end = at + word.length();
      if ((at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
          && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the column that a name probably misspells. Case, punctuation and a plural s do not
   * matter; a long name may also have two wrong letters. A table has no other column with such a
   * name.
   *
   * @param columns the known columns
   */
  public static Optional<String> misspelled(String name, Collection<String> columns) {
    return columns.stream()
        .filter(each -> normalized(each).equals(normalized(name)))
        .findFirst()
        .or(
            () ->
                name.chars().anyMatch(Character::isDigit) // memory2 is no misspelt memory
                    ? Optional.empty()
                    : NearestName.of(
                        name,
                        columns.stream().filter(each -> each.length() >= LONG_NAME).toList(),
                        TYPOS));
  }

  /** Returns a name without case, punctuation and a plural s, to find similar names. */
  private static String normalized(String name) {
    StringBuilder letters = new StringBuilder();
    name.toLowerCase(Locale.ROOT)
        .chars()
        .filter(each -> (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9'))
        .forEach(each -> letters.append((char) each));
    int end = letters.length() - 1;
    return letters.toString().endsWith("s") ? letters.substring(0, end) : letters.toString();
  }

  /** Returns the column names in the order of the file. */
  public List<String> header() {
    return header;
  }

  /**
   * Returns the next row; null at the end.
   *
   * @throws InputException if the line is not a row of the table; the next call resumes after it
   */
  @Override
  public @Nullable Row next() {
    String line = lines.next();
    if (line == null) {
      return null;
    }
    SourceLocation location = lines.location();
    List<String> cells = split(location, separator, line);
    if (cells.size() != header.size()) {
      throw location.error(
          "has %s fields, must have %s: %s".formatted(cells.size(), header.size(), columnNames));
    }
    return new Row(location, columns, cells);
  }

  /** Returns the location of the latest row. */
  @Override
  public SourceLocation location() {
    return lines.location();
  }

  /** Closes the lines. */
  @Override
  public void close() {
    lines.close();
  }

  /**
   * Returns whether a line appears to be a header with at least half of some columns. Case,
   * punctuation and a plural s do not matter.
   *
   * @param columns the columns that identify the header, without those that other tables have too
   */
  public static boolean isHeader(String line, Collection<String> columns) {
    Set<String> names = columns.stream().map(CsvTable::normalized).collect(Collectors.toSet());
    long named =
        Cells.split(line, COMMA).stream()
            .map(CsvTable::normalized)
            .filter(names::contains)
            .distinct()
            .count();
    return !line.startsWith("{") && 2 * named >= names.size();
  }

  private static List<String> split(SourceLocation location, char separator, String line) {
    if (separator != COMMA || line.indexOf('"') < 0) {
      return Cells.split(line, separator);
    }
    try {
      return ROW.readValue(line);
    } catch (JsonProcessingException malformed) {
      InputException error =
          location.error("has a quoted field that does not end", "a \" is missing or one too many");
      error.initCause(malformed);
      throw error;
    }
  }

  /**
   * A row of a table.
   *
   * @param location the line
   * @param columns the index of each column
   * @param cells the text of each field
   */
  public record Row(SourceLocation location, Map<String, Integer> columns, List<String> cells) {

    /**
     * Returns the field of a column.
     *
     * @throws IllegalStateException if the table lacks the column
     */
    public Field field(String column) {
      Integer at = columns.get(column);
      checkState(at != null, "the table has no column %s", column);
      return new Field(location, column, cells.get(at).strip());
    }

    /** Returns the field of a column; empty if the table lacks the column or the field is empty. */
    public Optional<Field> optional(String column) {
      return columns.containsKey(column)
          ? Optional.of(field(column)).filter(field -> !field.isEmpty())
          : Optional.empty();
    }
  }
}
