package dev.berth.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTextTest {

  @Test
  void readsABlockOfEachKind() {
    String markdown =
        """
        ### Why *ours* differ

        **Times.** In
        two lines.

        - `one`
          continued
        - two

        | reading | seeds |
        | --- | --- |
        | **ours** | 1 |
        | | 2 |

        ```sh
        ./berth policies

        ./berth compare
        ```
        """;

    assertThat(new MarkdownText("notes", markdown).blocks())
        .containsExactly(
            new Heading("Why ours differ"),
            Text.of("Times. In two lines."),
            Text.bullets("one continued", "two"),
            Table.of(
                "notes-1",
                "Why ours differ",
                List.of(Table.Column.ofText("reading"), Table.Column.ofText("seeds")),
                List.of(
                    List.of(Table.Cell.of("ours"), Table.Cell.of("1")),
                    List.of(Table.Cell.of(""), Table.Cell.of("2")))),
            new Details("./berth policies", "./berth policies\n\n./berth compare"));
    assertThat(new MarkdownText("notes", "").blocks()).isEmpty();
  }
}
