const NO_IDS = { requestId: null, responseId: null };
export {
  NO_IDS
};
