package dev.berth.report;

/**
 * Text that keeps its line breaks and blanks, such as a configuration or a command.
 *
 * @param language such as {@code sh} or {@code json}, for Markdown; may be empty
 * @param text without a line break at its end
 */
public record Preformatted(String language, String text) implements Block {}
