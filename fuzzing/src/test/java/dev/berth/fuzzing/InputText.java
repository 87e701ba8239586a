package dev.berth.fuzzing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.traces.input.Input;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a fuzzed input that selects what reads it: {@code name:content}. Without a known
 * name, everything reads all of it.
 */
final class InputText {

  private static final int LONGEST_NAME = 64;
  private static final String MEMBER = "=== ";

  private final String name;
  private final byte[] content;

  private InputText(String name, byte[] content) {
    this.name = name;
    this.content = content;
  }

  /** Returns an input without a name. */
  static InputText unnamed(byte[] content) {
    return new InputText("", content);
  }

  static InputText of(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    int colon = text.indexOf(':');
    return colon < 0 || colon > LONGEST_NAME
        ? unnamed(bytes)
        : new InputText(text.substring(0, colon), text.substring(colon + 1).getBytes(ISO_8859_1));
  }

  /** Returns the text before the first colon; empty if there is none. */
  String name() {
    return name;
  }

  /** Returns the bytes after the colon, which the caller must not change. */
  byte[] content() {
    return content;
  }

  /** Returns the content as a file; as a folder if its lines {@code === name} begin files. */
  Input input() {
    String text = new String(content, ISO_8859_1);
    if (!text.startsWith(MEMBER)) {
      return Input.of("fuzz.csv", content);
    }
    Map<String, byte[]> members = new TreeMap<>();
    for (String each : ("\n" + text).split("\n" + MEMBER, -1)) {
      int end = each.indexOf('\n');
      if (end > 0) {
        members.put(each.substring(0, end), each.substring(end + 1).getBytes(ISO_8859_1));
      }
    }
    return Input.of("fuzz", members);
  }
}
