const helpTopics = {
  options: "the options that many commands have",
  environment: "the environment variables",
  "exit-codes": "the exit codes"
};
function isHelpTopic(word) {
  return word !== void 0 && Object.hasOwn(helpTopics, word);
}
export {
  helpTopics,
  isHelpTopic
};
