const FAIR_TURNS = 8;
export {
  FAIR_TURNS
};
