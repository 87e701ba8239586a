package dev.berth.experiments.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.report.Details;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownBlocksTest {

  @Test
  void makesABlockOfEachPart() {
    String markdown =
        """
        ### Why *ours* differ

        **Times.** In
        two lines.

        - `one`
          goes on
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

    assertThat(new MarkdownBlocks("notes").of(markdown))
        .containsExactly(
            Text.of("Why ours differ"),
            Text.of("Times. In two lines."),
            Text.bullets("one goes on", "two"),
            new Table(
                "notes-1",
                "Why ours differ",
                List.of(Table.Column.ofText("reading"), Table.Column.ofText("seeds")),
                List.of(
                    List.of(Table.Cell.of("ours"), Table.Cell.of("1")),
                    List.of(Table.Cell.of(""), Table.Cell.of("2")))),
            new Details("./berth policies", "./berth policies\n\n./berth compare"));
    assertThat(new MarkdownBlocks("notes").of("")).isEmpty();
  }
}
