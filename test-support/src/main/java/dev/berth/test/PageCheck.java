package dev.berth.test;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks pages in the browser, on a phone and a desk, light and dark: no line on the console, no
 * request to another host, nothing wider than the screen, and nothing that axe finds serious.
 */
public final class PageCheck {

  private static final Pattern FOUND = Pattern.compile("<pre id=\"found\">([^<]+)</pre>");
  private static final List<Integer> WIDTHS = List.of(390, 1400);

  private PageCheck() {}

  /**
   * Returns what is wrong with a page, in words.
   *
   * @param page returns its HTML, once for each visit
   * @param scratch a folder for files of the browser
   */
  public static List<String> defects(Supplier<String> page, Path scratch)
      throws IOException, InterruptedException {
    Chromium.require();
    List<String> defects = new ArrayList<>();
    String axe = resource("/axe.min.js");
    String probe = resource("/dev/berth/test/probe.js");
    String scripts = "<script>" + axe + "</script><script>" + probe + "</script>";
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(
        server,
        "/",
        () ->
            page.get()
                .replace("script-src ", "script-src " + hash(axe) + " " + hash(probe) + " ")
                .replace("</body>\n</html>", scripts + "</body>\n</html>"));
    for (int width : WIDTHS) {
      serve(server, "/frame/" + width, () -> frame(width));
    }
    server.start();
    try {
      String root = "http://127.0.0.1:" + server.getAddress().getPort();
      for (int width : WIDTHS) {
        for (boolean dark : new boolean[] {false, true}) {
          visit(URI.create(root + "/frame/" + width), dark, scratch).stream()
              .map(each -> "%d px, %s: %s".formatted(width, dark ? "dark" : "light", each))
              .forEach(defects::add);
        }
      }
    } finally {
      server.stop(0);
    }
    return defects;
  }

  /** A page as wide as a phone: the window of Chromium is never that narrow. */
  private static String frame(int width) {
    return """
        <!DOCTYPE html><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
        <pre id="found"></pre>
        <script>
        addEventListener('message', event => {
          const bytes = new TextEncoder().encode(event.data);
          document.getElementById('found').textContent =
            btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        });
        </script>
        <iframe src="/" style="border: 0; width: %dpx; height: 800px"></iframe>
        """
        .formatted(width);
  }

  private static List<String> visit(URI frame, boolean dark, Path scratch)
      throws IOException, InterruptedException {
    Chromium.Visit visit =
        Chromium.open(frame, scratch, "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1));
    List<String> defects = new ArrayList<>(visit.console());
    Matcher found = FOUND.matcher(visit.document());
    if (!found.find()) {
      defects.add("The page was not checked: its script did not end.");
      return defects;
    }
    String lines = new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.UTF_8);
    lines.lines().skip(1).forEach(defects::add); // the first says that it was checked
    return defects;
  }

  private static void serve(HttpServer server, String path, Supplier<String> html) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            byte[] bytes = html.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PageCheck.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }
}
