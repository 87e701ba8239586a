package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.test.Chromium;
import dev.berth.test.PageCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Opens pages in a browser. */
public final class ReportBrowser {

  private static final Pattern CHART = Pattern.compile("data-drawn=\"([^\"]*)\"");

  private ReportBrowser() {}

  /** Fails unless all charts of a page are drawn, and it has no defect in the browser. */
  public static void requireAllDrawn(Path page, Path scratch)
      throws IOException, InterruptedException {
    Chromium.Visit visit = Chromium.open(page, scratch);

    assertThat(visit.console()).isEmpty();
    List<String> drawn =
        CHART.matcher(visit.document()).results().map(each -> each.group(1)).toList();
    assertThat(drawn).isNotEmpty().containsOnly("true");
    long charts =
        Pattern.compile("class=\"chart\"").matcher(Files.readString(page)).results().count();
    assertThat(drawn).as("each chart of the page").hasSize((int) charts);
    String html = Files.readString(page);
    assertThat(PageCheck.defects(() -> html, scratch)).isEmpty();
  }
}
